import * as vscode from 'vscode';
import { table } from '../../client/vscode/commands/index.ts';
import { closeAll, openDrawing, untilMarked } from '../support/editor/host.ts';
import { misspelled, repaired } from './drawings.ts';

const id = 'headwater.headwater';

/** Where there are no processes, there is nothing of this. */
const reaches = vscode.env.uiKind === vscode.UIKind.Desktop || vscode.env.remoteName !== undefined;

/** The commands that need no service. */
const everywhere: ReadonlySet<string> = new Set(Object.keys(table));

describe('The side that reaches services', () => {
  afterEach(closeAll);

  it('is there with all of its commands, or not at all', async () => {
    await vscode.extensions.getExtension(id)?.activate();
    const { commands } = vscode.extensions.getExtension(id)?.packageJSON.contributes ?? {};
    const declared = (commands as readonly { readonly command: string }[]).map(({ command }) => command);
    const registered = new Set(await vscode.commands.getCommands(true));
    const missing = declared.filter((command) => !registered.has(command));
    const expected = reaches ? [] : declared.filter((command) => !everywhere.has(command));
    expectSame(missing.toSorted(), expected.toSorted());
  });

  it('has titles in words', () => {
    const { packageJSON } = vscode.extensions.getExtension(id) ?? {};
    const titles: readonly { readonly title: string }[] = packageJSON.contributes.commands;
    expectSame(
      titles.map(({ title }) => title).filter((title) => !/^[A-Z]/.test(title)),
      [],
    );
  });

  it('offers its lenses only where it is there', async () => {
    const document = await openDrawing(misspelled);
    await untilMarked(document, misspelled);
    const lenses = await vscode.commands.executeCommand<readonly vscode.CodeLens[]>(
      'vscode.executeCodeLensProvider',
      document.uri,
    );
    expectSame(lenses.length, reaches ? 3 : 0);
  });

  it('finds the task that validates', async () => {
    if (!reaches) return;
    await openDrawing(repaired);
    const tasks = await vscode.tasks.fetchTasks({ type: 'headwater' });
    expectSame(
      tasks.map(({ name }) => name),
      ['validate'],
    );
  });
});

/** Node's own assertions are not there in a web worker. */
function expectSame(found: unknown, expected: unknown): void {
  const [one, other] = [JSON.stringify(found), JSON.stringify(expected)];
  if (one !== other) throw new Error(`Found ${one} instead of ${other}.`);
}
