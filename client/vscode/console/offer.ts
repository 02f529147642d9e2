/** Opens the console, and opens it again after a reload of the window. Its code is loaded when it is first opened. */
import { type Disposable, l10n, window } from 'vscode';
import type { Services } from '../services.ts';

/** The id in `activationEvents` of package.json. */
const consoleView = 'headwater.console';

async function loadPanel() {
  const parts = await import('./panel.ts');
  parts.translateWith(l10n.t);
  return parts;
}

export async function openConsoleHere(services: Services, named: unknown): Promise<void> {
  (await loadPanel()).openConsole(services, named);
}

export function provideConsole(services: Services): Disposable {
  return window.registerWebviewPanelSerializer(consoleView, {
    deserializeWebviewPanel: async (panel) => (await loadPanel()).restoreConsole(services, panel),
  });
}
