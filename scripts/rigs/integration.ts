/** Runs the suite of `test/integration` in VS Code's own extension host, with the language server as a process. */
import { root } from '../root.ts';
import type { Tally } from '../run/tally.ts';
import { launchBrowser } from './browser.ts';
import { bundleSuite, suite } from './bundleSuite.ts';
import { startCodeServer } from './editors/codeServer.ts';
import { runSuite } from './hostSuite.ts';
import type { Ready } from './install.ts';
import { runRig } from './rig.ts';
import { temporaryFolder } from './temporary.ts';

/** @param rig the name of the rig */
export async function integration(tools: Ready, rig = 'integration'): Promise<Tally> {
  await bundleSuite();
  const server = await startCodeServer(tools, { purpose: 'extension-host' });
  const browser = await launchBrowser(tools.chromium);
  try {
    const remote = (path: string) => `vscode-remote://${server.host}${path}`;
    const payload = [
      ['extensionDevelopmentPath', remote(root)],
      ['extensionTestsPath', remote(suite)],
      ['skipWelcome', 'true'],
    ];
    const query = new URLSearchParams({
      folder: temporaryFolder('workspace'),
      payload: JSON.stringify(payload),
    });
    return await runSuite(browser, `http://${server.host}/?${query}`, rig);
  } finally {
    await browser.close();
    await server.stop();
  }
}

if (import.meta.main) await runRig('integration', (tools) => integration(tools));
