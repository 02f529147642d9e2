/** Where the page begins. */
import { render } from 'preact';
import { ConsoleProvider } from './console.ts';
import { followAddress } from './frame/address.ts';
import { Shell } from './frame/shell.tsx';
import { openHttpTransport } from './link/http.ts';
import { signInWithCode } from './link/signIn.ts';
import { showToast } from './parts/toast.tsx';
import { followService } from './state/follow.ts';
import { createServiceState } from './state/service.ts';
import { followTheme } from './theme/theme.ts';
import './theme/theme.css';

await begin(window);

async function begin(page: Window): Promise<void> {
  followTheme(page);
  const transport = openHttpTransport();
  const service = createServiceState();
  const problem = await signInWithCode(page);
  followAddress(page);
  const root = page.document.getElementById('console');
  if (root === null) return;
  render(
    <ConsoleProvider value={{ transport, service }}>
      <Shell />
    </ConsoleProvider>,
    root,
  );
  if (problem !== undefined) showToast('failed', problem);
  void followService(transport, service, new AbortController().signal);
}
