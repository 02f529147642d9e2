/** The table of commands that need no service. `services.ts` has the other commands. package.json declares the same commands. */
import { commands, Disposable, type LogOutputChannel, type Uri } from 'vscode';
import type { ShownPlaces } from '../../../server/protocol.ts';
import type { LanguageServer } from '../language.ts';
import { type OfferedTests, readAskedTests } from '../tests/offer.ts';
import { showReferences } from '../views/references.ts';
import { toggleQuiet } from '../yaml/offer.ts';

interface CommandContext {
  readonly server: LanguageServer;
  readonly log: LogOutputChannel;
  readonly tests: OfferedTests;
  /** The page about the editor in the package of the extension. */
  readonly page: Uri;
}

export type Table<Context> = Readonly<Record<string, (context: Context, argument: unknown) => unknown>>;

export const table: Table<CommandContext> = {
  'headwater.restartLanguageServer': ({ server }) => server.restart(),
  'headwater.openDocumentation': ({ page }) => commands.executeCommand('markdown.showPreview', page),
  'headwater.showLog': ({ log }) => log.show(),
  'headwater.runTests': ({ tests }, asked) => tests.run(readAskedTests(asked)),
  'headwater.quietYamlExtension': () => toggleQuiet(),
  'headwater.showReferences': (_context, asked) => showReferences(asked as ShownPlaces),
};

export function registerCommands<Context>(rows: Table<Context>, context: Context): Disposable {
  return Disposable.from(
    ...Object.entries(rows).map(([id, command]) =>
      commands.registerCommand(id, (argument: unknown) => command(context, argument)),
    ),
  );
}
