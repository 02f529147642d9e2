/** The entry point of the page. */
import { render } from 'preact';
import { type Console, ConsoleProvider } from './console.ts';
import { followAddress, followAddressIn } from './frame/address.ts';
import { Shell } from './frame/shell.tsx';
import { openEditorConsole, type WebviewApi } from './link/editor.ts';
import { openHttpTransport } from './link/http.ts';
import { openPageSecret } from './link/pageSecret.ts';
import { signInAgain, signInWithCode } from './link/signIn.ts';
import { showToast } from './parts/toast.tsx';
import { followService } from './state/follow.ts';
import { createServiceState } from './state/service.ts';
import { followTheme } from './theme/theme.ts';
import './theme/theme.css';

/** Exists only in a webview of VS Code, and can be called only once. */
declare const acquireVsCodeApi: (() => WebviewApi) | undefined;

if (typeof acquireVsCodeApi === 'function') beginInEditor(window, acquireVsCodeApi());
else await begin(window);

async function begin(page: Window): Promise<void> {
  followTheme(page);
  const secret = openPageSecret(page);
  const transport = openHttpTransport(secret);
  const problem = await signInWithCode(page, secret);
  signInAgain(page);
  followAddress(page);
  draw(page, { transport, service: createServiceState() }, new AbortController().signal);
  if (problem !== undefined) showToast('failed', problem);
}

/** Starts the console in an editor, with the editor's colours. */
function beginInEditor(page: Window, api: WebviewApi): void {
  const show = followAddressIn(page, api);
  let end = new AbortController();
  const beginAgain = (): void => {
    end.abort();
    end = new AbortController();
    draw(page, { ...parts, service: createServiceState() }, end.signal);
  };
  const parts = openEditorConsole(api, page, { show, beginAgain });
  beginAgain();
}

/** Draws the console of one service. Removes an earlier console together with its state. */
function draw(page: Window, parts: Console, end: AbortSignal): void {
  const root = page.document.getElementById('console');
  if (root === null) return;
  render(null, root);
  render(
    <ConsoleProvider value={parts}>
      <Shell />
    </ConsoleProvider>,
    root,
  );
  void followService(parts.transport, parts.service, end);
}
