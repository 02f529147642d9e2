/** Closes the page before a deploy after a reload of the window, because the deploy that it asked about has ended with the window. */
import { type Disposable, window } from 'vscode';

/** The id in `activationEvents` of package.json. */
export const deployView = 'headwater.deploy';

export function closeReloadedPage(): Disposable {
  return window.registerWebviewPanelSerializer(deployView, {
    deserializeWebviewPanel: async (panel) => panel.dispose(),
  });
}
