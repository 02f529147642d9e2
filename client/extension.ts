/** Composes and disposes, the same in every host; the entries `node.ts` and `browser.ts` bring the transport. */
import { type ExtensionContext, window } from 'vscode';
import type { BaseLanguageClient, LanguageClientOptions } from 'vscode-languageclient';
import { registerCommands } from './commands/index.ts';
import { keepLanguageServer, type LanguageServer } from './language.ts';

/** How this host reaches a language server. */
type Connect = (context: ExtensionContext, options: LanguageClientOptions) => Promise<BaseLanguageClient>;

interface Extension {
  activate(context: ExtensionContext): void;
  deactivate(): Promise<void> | undefined;
}

export function extension(connect: Connect): Extension {
  let server: LanguageServer | undefined;
  return {
    activate(context) {
      const log = window.createOutputChannel('Headwater', { log: true });
      server = keepLanguageServer((options) => connect(context, options), log);
      context.subscriptions.push(log, server, registerCommands({ server, log }));
    },
    deactivate: () => server?.stop(),
  };
}
