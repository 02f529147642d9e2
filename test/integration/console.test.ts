import * as vscode from 'vscode';

const reaches = vscode.env.uiKind === vscode.UIKind.Desktop || vscode.env.remoteName !== undefined;

function tabs(): readonly vscode.Tab[] {
  return vscode.window.tabGroups.all
    .flatMap((group) => group.tabs)
    .filter(
      ({ input }) => input instanceof vscode.TabInputWebview && /headwater\.console$/.test(input.viewType),
    );
}

async function until(isReached: () => boolean): Promise<void> {
  while (!isReached()) await new Promise((resolve) => setTimeout(resolve, 50));
}

describe('The console', () => {
  it('opens as one tab, however often it is asked for, and closes', async () => {
    // A browser alone reaches no service, and has no such command.
    if (!reaches) return;
    await vscode.extensions.getExtension('headwater.headwater')?.activate();
    await vscode.commands.executeCommand('headwater.openConsole');
    await until(() => tabs().length === 1);
    const asked = { screen: 'devices', parameters: { user: '<b>ada</b>' } };
    await vscode.commands.executeCommand('headwater.openConsole', asked);
    await vscode.commands.executeCommand('headwater.openConsole', { client: { user: 'ada' } });
    if (tabs().length !== 1) throw new Error(`There are ${tabs().length} consoles.`);
    await vscode.window.tabGroups.close(tabs());
    await until(() => tabs().length === 0);
  });
});
