import * as vscode from 'vscode';
import { table } from '../../client/vscode/commands/index.ts';
import { closeAll, openDrawing, untilMarked } from '../support/editor/host.ts';
import { misspelled, repaired } from './drawings.ts';

const id = 'headwater.headwater';

/** Whether this VS Code can start processes, which services need. */
const reaches = vscode.env.uiKind === vscode.UIKind.Desktop || vscode.env.remoteName !== undefined;

/** The commands that need no service. */
const everywhere: ReadonlySet<string> = new Set(Object.keys(table));

describe('The part that reaches services', () => {
  afterEach(closeAll);

  it('registers all of its commands, or none of them', async () => {
    await vscode.extensions.getExtension(id)?.activate();
    const { commands } = vscode.extensions.getExtension(id)?.packageJSON.contributes ?? {};
    const declared = (commands as readonly { readonly command: string }[]).map(({ command }) => command);
    const registered = new Set(await vscode.commands.getCommands(true));
    const missing = declared.filter((command) => !registered.has(command));
    const expected = reaches ? [] : declared.filter((command) => !everywhere.has(command));
    expectSame(missing.toSorted(), expected.toSorted());
  });

  it('has titles in plain English', () => {
    const { packageJSON } = vscode.extensions.getExtension(id) ?? {};
    const titles: readonly { readonly title: string }[] = packageJSON.contributes.commands;
    expectSame(
      titles.map(({ title }) => title).filter((title) => !/^[A-Z]/.test(title)),
      [],
    );
  });

  it('offers its code lenses only if services can be reached', async () => {
    const document = await openDrawing(misspelled);
    await untilMarked(document, misspelled);
    const lenses = await vscode.commands.executeCommand<readonly vscode.CodeLens[]>(
      'vscode.executeCodeLensProvider',
      document.uri,
    );
    expectSame(lenses.length, reaches ? 3 : 0);
  });

  it('provides the task that validates', async () => {
    if (!reaches) return;
    await openDrawing(repaired);
    const tasks = await vscode.tasks.fetchTasks({ type: 'headwater' });
    expectSame(
      tasks.map(({ name }) => name),
      ['validate'],
    );
  });
});

/** Node's own assertions are not available in a web worker. */
function expectSame(found: unknown, expected: unknown): void {
  const [one, other] = [JSON.stringify(found), JSON.stringify(expected)];
  if (one !== other) throw new Error(`Found ${one} instead of ${other}.`);
}
