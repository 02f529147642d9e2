/** A project that has nothing to do with sync configs, with files of YAML, and what Headwater costs it. */
import { deepEqual, doesNotMatch, equal, match } from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../scripts/rigs/temporary.ts';
import { patient } from '../../scripts/run/patience.ts';
import { openByName } from '../support/editor/keyboard.ts';
import { ownProcesses } from '../support/editor/ownProcesses.ts';
import {
  editorLines,
  errorSquiggles,
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
const deployments = 200;
/** Folders that have a file with the name of a service config, also where targets are searched. */
const services = ['.', 'web', ...Array.from({ length: 18 }, (_, n) => `k8s/${n}`)];

/** The name of a manifest in its folder. `service.yaml` comes first. */
const nameOf = (n: number): string => `web-${String(n).padStart(3, '0')}.yaml`;

describe('A project without a sync config', () => {
  let workbench: Workbench;
  /** The servers of workbenches of other tests. */
  let others: readonly number[] = [];
  const ownServers = () => languageServers().filter((id) => !others.includes(id));

  before(async () => {
    const folder = temporaryFolder('unrelated');
    mkdirSync(join(folder, 'k8s'));
    writeFileSync(join(folder, 'k8s/service.yaml'), service);
    for (let n = 0; n < deployments; n += 1)
      writeFileSync(join(folder, 'k8s', nameOf(n)), service.replace('Service', 'Deployment'));
    for (const inner of services) {
      mkdirSync(join(folder, inner), { recursive: true });
      writeFileSync(join(folder, inner, 'service.yaml'), service);
    }
    others = languageServers();
    // The list would otherwise follow the editor and lose its own place.
    const place = { 'explorer.autoReveal': false };
    // Drawing these for each of many files takes a large part of the processor time.
    const plain = { 'breadcrumbs.enabled': false, 'editor.minimap.enabled': false };
    workbench = await openWorkbench(folder, { settings: { ...place, ...plain } });
  });

  keepFailures('unrelated', () => workbench);

  after(() => workbench?.close());

  it('gets no language server when 200 of its files are opened', async function () {
    this.timeout(patient(600_000));
    const { page } = workbench;
    await openFile(page, 'k8s/service.yaml');
    await page
      .locator('.explorer-folders-view .monaco-list-row.focused', { hasText: 'service.yaml' })
      .click();
    for (let n = 0; n < deployments; n += 1) {
      // The space bar opens the file and leaves the focus in the list.
      for (const key of ['ArrowDown', 'Space']) await page.keyboard.press(key);
      await page.locator(`.tab.active[data-resource-name="${nameOf(n)}"]`).waitFor();
    }
    deepEqual(ownServers(), []);
    await takeScreenshot(page, 'unrelated-0-files');
    await page.keyboard.press('Home');
  });

  it('gets no language server when a file is edited that has the name of a service config', async () => {
    const { page } = workbench;
    await openFile(page, 'k8s/service.yaml');
    await editorLines(page).first().click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('    # a comment');
    await page.keyboard.press('Control+S');
    await runCommand(page, 'Headwater: Show Log');
    const log = page.locator('.part.panel');
    await log.waitFor();
    doesNotMatch((await log.allInnerTexts()).join(), /Language.server/);
    deepEqual(ownServers(), []);
    await takeScreenshot(page, 'unrelated-1-log');
    await page.keyboard.press('Control+J');
  });

  it('gets no language server for many files with the name of a service config, and none of them is a target', async function () {
    this.timeout(patient(300_000));
    const { page } = workbench;
    for (const inner of services.slice(1)) {
      await openByName(page, `${inner}/service.yaml`);
    }
    deepEqual(ownServers(), []);
    await runCommand(page, 'Headwater: Select Target');
    const rows = page.locator('.quick-input-list .monaco-list-row');
    // The only target is the local service.
    match((await linesOf(rows)).join('\n'), /^\s*local.*$/);
    await takeScreenshot(page, 'unrelated-1-targets');
    await page.keyboard.press('Escape');
    equal(await errorSquiggles(page).count(), 0);
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
    mkdirSync(join(workbench.folder, 'app'));
    writeFileSync(
      join(workbench.folder, 'app/sync.yaml'),
      'streams:\n  all:\n    query: SELECT * FRM lists\n',
    );
    await openFile(page, 'app/sync.yaml');
    await page.locator('.activitybar .action-label[aria-label*="Headwater"]').waitFor();
    await takeScreenshot(page, 'unrelated-3-found');
    await errorSquiggles(page).first().waitFor({ state: 'attached' });
    equal(ownServers().length, 1);
  });
});

/** Returns the ids of the processes that are language servers. */
function languageServers(): readonly number[] {
  return ownProcesses('/dist/server.js');
}
