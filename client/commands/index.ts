/** The table of commands. package.json declares the same ones. */
import { commands, Disposable, type LogOutputChannel } from 'vscode';
import type { LanguageServer } from '../language.ts';

export interface CommandContext {
  readonly server: LanguageServer;
  readonly log: LogOutputChannel;
}

type Command = (context: CommandContext) => unknown;

export const table: Readonly<Record<string, Command>> = {
  'headwater.restartLanguageServer': ({ server }) => server.restart(),
  'headwater.showLog': ({ log }) => log.show(),
};

export function registerCommands(context: CommandContext): Disposable {
  return Disposable.from(
    ...Object.entries(table).map(([id, command]) => commands.registerCommand(id, () => command(context))),
  );
}
