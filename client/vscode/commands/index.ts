/** The table of commands that need no service. `services.ts` has the other commands. package.json declares the same commands. */
import { commands, Disposable, type LogOutputChannel, l10n, type Uri } from 'vscode';
import type { ShownPlaces } from '../../../server/protocol.ts';
import type { LanguageServer } from '../language.ts';
import { type OfferedTests, readAskedTests } from '../tests/offer.ts';
import { showReferences } from '../views/references.ts';
import { toggleQuiet } from '../yaml/offer.ts';
import { complain, say, warn } from './telling.ts';

interface CommandContext {
  readonly server: LanguageServer;
  readonly log: LogOutputChannel;
  readonly tests: OfferedTests;
  /** The page about the editor in the package of the extension. */
  readonly page: Uri;
}

export type Table<Context> = Readonly<Record<string, (context: Context, argument: unknown) => unknown>>;

export const table: Table<CommandContext> = {
  'headwater.restartLanguageServer': restartServer,
  'headwater.openDocumentation': ({ page }) => commands.executeCommand('markdown.showPreview', page),
  'headwater.showLog': ({ log }) => log.show(),
  'headwater.runTests': runTests,
  'headwater.quietYamlExtension': ({ log }) => toggleQuiet(log),
  'headwater.showReferences': (_context, asked) => showReferences(asked as ShownPlaces),
};

async function runTests({ tests, log }: CommandContext, asked: unknown): Promise<void> {
  const { total, passed } = await tests.run(readAskedTests(asked));
  if (total === 0) return complain(log, l10n.t('There are no access tests in this workspace.'));
  const report = passed === total ? say : warn;
  report(log, l10n.t('Access tests that passed: {0} of {1}.', passed, total));
}

async function restartServer({ server, log }: CommandContext): Promise<void> {
  const isRunning = await server.restart();
  say(
    log,
    isRunning
      ? l10n.t('The language server is running again.')
      : l10n.t('The language server is off, because no sync config is open or headwater.enable is off.'),
  );
}

export function registerCommands<Context>(rows: Table<Context>, context: Context): Disposable {
  return Disposable.from(
    ...Object.entries(rows).map(([id, command]) =>
      commands.registerCommand(id, (argument: unknown) => command(context, argument)),
    ),
  );
}
