/** A project that has nothing to do with sync configs, with files of YAML, and what Headwater costs it. */
import { deepEqual, doesNotMatch, equal, match } from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../scripts/rigs/temporary.ts';
import {
  editorLines,
  keepFailures,
  linesOf,
  openFile,
  openWorkbench,
  runCommand,
  takeScreenshot,
  type Workbench,
} from '../support/editor/workbench.ts';

/** A manifest of Kubernetes, which has the name of a service config. */
const service = 'apiVersion: v1\nkind: Service\nmetadata:\n  name: web\nspec:\n  ports:\n    - port: 80\n';
const deployments = 8;

describe('A project without a sync config', () => {
  let workbench: Workbench;

  before(async () => {
    const folder = temporaryFolder('unrelated');
    mkdirSync(join(folder, 'k8s'));
    writeFileSync(join(folder, 'k8s/service.yaml'), service);
    for (let n = 0; n < deployments; n += 1)
      writeFileSync(join(folder, `k8s/deployment-${n}.yaml`), service.replace('Service', 'Deployment'));
    workbench = await openWorkbench(folder);
  });

  keepFailures('unrelated', () => workbench);

  after(() => workbench?.close());

  it('gets no language server when its files are opened and edited', async () => {
    const { page } = workbench;
    for (let n = 0; n < deployments; n += 1) await openFile(page, `k8s/deployment-${n}.yaml`);
    await openFile(page, 'k8s/service.yaml');
    await editorLines(page).first().click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('    # a comment');
    await page.keyboard.press('Control+S');
    await runCommand(page, 'Headwater: Show Log');
    const log = page.locator('.part.panel');
    await log.waitFor();
    doesNotMatch((await log.allInnerTexts()).join(), /Language.server/);
    await takeScreenshot(page, 'unrelated-1-log');
    await page.keyboard.press('Control+J');
  });

  it('gets no view and no item in its status bar', async () => {
    const { page } = workbench;
    equal(await page.locator('.activitybar .action-label[aria-label*="Headwater"]').count(), 0);
    equal(await page.locator('.statusbar-item[id$="headwater.target"]').count(), 0);
  });

  it('has at most five of the commands in its palette', async () => {
    const { page } = workbench;
    await page.keyboard.press('F1');
    await page.locator('.quick-input-widget input').fill('>Headwater: ');
    const rows = page.locator('.quick-input-list .monaco-list-row', { hasText: 'Headwater:' });
    await rows.first().waitFor();
    await takeScreenshot(page, 'unrelated-2-palette');
    const offered = (await linesOf(rows)).map((row) => row.replaceAll(/\s+/g, ' '));
    equal(offered.length <= 5, true, offered.join('\n'));
    match(offered.join('\n'), /Headwater: Create Sync Config/);
    await page.keyboard.press('Escape');
  });

  it('shows nothing about tables next to the language', async () => {
    const { page } = workbench;
    deepEqual(await page.locator('#status\\.languageStatus').allInnerTexts(), []);
  });

  it('gets all of it with its first sync config', async () => {
    const { page } = workbench;
    writeFileSync(join(workbench.folder, 'sync.yaml'), 'streams:\n  all:\n    query: SELECT * FROM lists\n');
    await openFile(page, 'sync.yaml');
    await page.locator('.activitybar .action-label[aria-label*="Headwater"]').waitFor();
    await takeScreenshot(page, 'unrelated-3-found');
  });
});
