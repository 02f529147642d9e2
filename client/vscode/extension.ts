/** Composes and disposes, the same in every host; the entries `node.ts` and `browser.ts` bring the transport. */
import { type Disposable, type ExtensionContext, type LogOutputChannel, l10n, Uri, window } from 'vscode';
import type { BaseLanguageClient, LanguageClientOptions } from 'vscode-languageclient';
import { translateWith } from '../l10n.ts';
import { registerCommands, table } from './commands/index.ts';
import { keepLanguageServer, type LanguageServer } from './language.ts';
import { showSchemaStatus } from './schemaStatus.ts';
import { offerTests } from './tests/offer.ts';
import { indentBehindKeys } from './yaml/indent.ts';
import { offerQuiet } from './yaml/offer.ts';

/** How this host reaches a language server. */
type Connect = (context: ExtensionContext, options: LanguageClientOptions) => Promise<BaseLanguageClient>;

/** What only some hosts can do. */
type Further = (context: ExtensionContext, log: LogOutputChannel, server: LanguageServer) => Disposable;

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
      server = keepLanguageServer((options) => connect(context, options), log, pages);
      const tests = offerTests(server);
      context.subscriptions.push(
        log,
        server,
        tests,
        registerCommands(table, { server, log, tests }),
        offerQuiet(),
        indentBehindKeys(),
      );
      context.subscriptions.push(showSchemaStatus(server));
      if (further) context.subscriptions.push(further(context, log, server));
    },
    deactivate: () => server?.stop(),
  };
}
