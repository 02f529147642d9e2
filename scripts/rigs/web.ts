/** Tests VS Code for the Web, where the language server is a web worker: the same suite, then the user interface. */
import { add, type Tally } from '../run/tally.ts';
import { launchBrowser } from './browser.ts';
import { bundleSuite, suite } from './bundleSuite.ts';
import { runSuite } from './hostSuite.ts';
import type { Ready } from './install.ts';
import { runRig } from './rig.ts';
import { runUiSuite } from './uiSuite.ts';
import { startWebWorkbench } from './webWorkbench.ts';

async function web(tools: Ready): Promise<Tally> {
  return add(await suiteInWorker(tools), await runUiSuite('test/web'));
}

async function suiteInWorker({ codeServer, chromium }: Ready): Promise<Tally> {
  await bundleSuite();
  const workbench = await startWebWorkbench(codeServer, { kind: 'suite', file: suite });
  const browser = await launchBrowser(chromium);
  try {
    return await runSuite(browser, workbench.url, 'web');
  } finally {
    await browser.close();
    await workbench.stop();
  }
}

if (import.meta.main) await runRig('web', web);
