/** Opens the console, and again after a reload of the window. What it is made of is loaded with the first one. */
import { type Disposable, l10n, window } from 'vscode';
import type { Services } from '../services.ts';

/** As package.json says it in `activationEvents`. */
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
