/**
 * Opens and disposes the parts of the extension, in the same way on every host. The entries `node.ts` and `browser.ts` provide
 * the transport.
 */
import { type Disposable, type ExtensionContext, type LogOutputChannel, l10n, Uri, window } from 'vscode';
import type { BaseLanguageClient, LanguageClientOptions } from 'vscode-languageclient';
import { translateWith } from '../l10n.ts';
import { registerCommands, table } from './commands/index.ts';
import { keepConfigKeys } from './contextKeys.ts';
import { LanguageServer } from './language.ts';
import { showSchemaStatus } from './schemaStatus.ts';
import { offerTests } from './tests/offer.ts';
import { Walkthrough } from './walkthrough.ts';
import { indentBehindKeys } from './yaml/indent.ts';
import { offerQuiet } from './yaml/offer.ts';

/** Connects to a language server with the transport of this host. */
type Connect = (context: ExtensionContext, options: LanguageClientOptions) => Promise<BaseLanguageClient>;

/** The parts that the features of each host share. */
export interface Host {
  readonly context: ExtensionContext;
  readonly log: LogOutputChannel;
  readonly server: LanguageServer;
  readonly walkthrough: Walkthrough;
}

/** Adds features that only some hosts have. */
type Further = (host: Host) => Disposable;

interface Extension {
  activate(context: ExtensionContext): void;
  deactivate(): Promise<void> | undefined;
}

export function extension(connect: Connect, further?: Further): Extension {
  let server: LanguageServer | undefined;
  return {
    activate(context) {
      translateWith(l10n.t);
      const log = window.createOutputChannel('Headwater', { log: true });
      const pages = Uri.joinPath(context.extensionUri, 'docs/rules');
      server = new LanguageServer((options) => connect(context, options), log, pages);
      const tests = offerTests(server);
      const walkthrough = new Walkthrough();
      context.subscriptions.push(
        log,
        server,
        tests,
        walkthrough,
        keepConfigKeys(walkthrough),
        registerCommands(table, { server, log, tests, page: Uri.joinPath(pages, '../VSCODE.md') }),
        offerQuiet(),
        indentBehindKeys(),
      );
      context.subscriptions.push(showSchemaStatus(server));
      if (further) context.subscriptions.push(further({ context, log, server, walkthrough }));
    },
    deactivate: () => server?.stop(),
  };
}
