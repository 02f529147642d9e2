/** Windows that most tests do not open: without a folder, with many folders, and with a service that starts without a click. */
import { deepEqual, equal } from 'node:assert/strict';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { temporaryFolder } from '../../scripts/rigs/temporary.ts';
import { openByName } from '../support/editor/keyboard.ts';
import { untilNews } from '../support/editor/news.ts';
import { untilStatus } from '../support/editor/statusBar.ts';
import {
  comes,
  errorSquiggles,
  insist,
  keepFailures,
  linesOf,
  openWorkbench,
  pick,
  runCommand,
  takeScreenshot,
  type Workbench,
} from '../support/editor/workbench.ts';
import {
  type ForeignService,
  foreignToken,
  openForeignService,
} from '../support/processes/foreignService.ts';

const mistake = 'config:\n  edition: 3\nstreams:\n  all:\n    query: SELECT * FRM lists\n';
const tables = 'CREATE TABLE lists (id text PRIMARY KEY, owner_id text);\n';

describe('A window without a folder', () => {
  let workbench: Workbench;

  before(async () => {
    const files = temporaryFolder('loose');
    writeFileSync(join(files, 'sync.yaml'), mistake);
    workbench = await openWorkbench(files, { opens: 'nothing' });
  });

  keepFailures('no-folder', () => workbench);

  after(() => workbench?.close());

  it('has at most five of the commands in its palette, and no view', async () => {
    const { page } = workbench;
    equal((await offeredCommands(page)).length <= 5, true);
    equal(await views(page), 0);
  });

  it('says which commands need a folder', async () => {
    const { page } = workbench;
    await runCommand(page, 'Headwater: Create Sync Config');
    await notification(page, 'Open a folder first: the sync config is written into it.').waitFor();
    await runCommand(page, 'Headwater: Start Local Service');
    await notification(page, 'Open a folder first: the local service belongs to one.').waitFor();
    await takeScreenshot(page, 'no-folder-1-refusals');
    await runCommand(page, 'Notifications: Clear All Notifications');
  });

  it('checks a config that is opened in it, and generates the schema of its clients', async () => {
    const { page, folder } = workbench;
    await page.keyboard.press('Control+O');
    await page.locator('.quick-input-title', { hasText: 'Open File' }).waitFor();
    await page.locator('.quick-input-widget input').fill(`${folder}/`);
    await pick(page, 'sync.yaml');
    await page.locator('.tab.active[data-resource-name="sync.yaml"]').waitFor();
    await errorSquiggles(page).first().waitFor({ state: 'attached' });
    await takeScreenshot(page, 'no-folder-2-checked');
    await runCommand(page, 'Headwater: Generate Client Schema');
    await notification(page, 'sync.yaml has errors. Fix them first.').waitFor();
  });
});

describe('A workspace with 30 folders and no sync config', () => {
  let workbench: Workbench;
  let service: ForeignService;
  const names = Array.from({ length: 30 }, (_, n) => `part-${String(n + 1).padStart(2, '0')}`);

  before(async () => {
    service = await openForeignService();
    const files = temporaryFolder('many');
    for (const name of names) {
      mkdirSync(join(files, name, '.vscode'), { recursive: true });
      writeFileSync(join(files, name, 'app.yaml'), `name: ${name}\n`);
      writeFileSync(join(files, name, 'schema.sql'), tables.replace('lists', name.replace('-', '_')));
    }
    for (const name of ['part-03', 'part-17'])
      writeFileSync(
        join(files, name, '.vscode/settings.json'),
        JSON.stringify({ 'headwater.schema.file': 'tables.json' }),
      );
    const folders = names.map((path) => ({ path }));
    writeFileSync(join(files, 'all.code-workspace'), JSON.stringify({ folders }));
    workbench = await openWorkbench(files, {
      opens: 'all.code-workspace',
      env: { PS_TEST_TOKEN: foreignToken },
      settings: {
        'headwater.targets': [{ name: 'elsewhere', url: service.url, tokenVariable: 'PS_TEST_TOKEN' }],
      },
    });
  });

  keepFailures('many-folders', () => workbench);

  after(async () => {
    await workbench?.close();
    await service?.close();
  });

  it('has at most five of the commands in its palette, and no view', async () => {
    const { page } = workbench;
    await openByName(page, 'part-30/app.yaml');
    const offered = await offeredCommands(page);
    equal(offered.length <= 5, true, offered.join('\n'));
    equal(await views(page), 0);
    equal(await page.locator('.statusbar-item[id$="headwater.target"]').count(), 0);
  });

  it('writes a sync config into the folder that is chosen, and nothing if none is', async () => {
    const { page, folder } = workbench;
    await runCommand(page, 'Headwater: Create Sync Config');
    await page.locator('.quick-input-list .monaco-list-row', { hasText: 'part-02' }).waitFor();
    await page.keyboard.press('Escape');
    await runCommand(page, 'Headwater: Create Sync Config');
    await page.locator('.quick-input-widget input').fill('part-17');
    await pick(page, 'part-17');
    const table = page.locator('.quick-input-list .monaco-list-row', { hasText: 'part_17' });
    await table.waitFor();
    await takeScreenshot(page, 'many-folders-1-tables');
    equal(await page.locator('.notification-toast').count(), 0);
    await page.keyboard.press('Enter');
    await page.locator('.tab.active[data-resource-name="sync.yaml"]').waitFor();
    equal(existsSync(join(folder, 'part-17/sync.yaml')), true);
    equal(existsSync(join(folder, 'part-01/sync.yaml')), false);
  });

  it('gets the tables of a service in the folder of the sync config', async () => {
    const { page, folder } = workbench;
    await runCommand(page, 'Headwater: Select Target');
    await pick(page, 'elsewhere');
    await untilStatus(page, /elsewhere: nothing deployed/);
    await untilNews(page, /tables? known from elsewhere, and written to tables\.json/, () =>
      runCommand(page, 'Headwater: Refresh Schema Snapshot'),
    );
    await takeScreenshot(page, 'many-folders-2-schema');
    const written = names.filter((name) => existsSync(join(folder, name, 'tables.json')));
    deepEqual(written, ['part-17']);
  });
});

describe('A workspace whose sync config is in a deeper folder', () => {
  let workbench: Workbench;

  before(async () => {
    const files = temporaryFolder('deeper');
    mkdirSync(join(files, 'apps/api'), { recursive: true });
    writeFileSync(join(files, 'apps/api/sync.yaml'), mistake.replace('FRM', 'FROM'));
    writeFileSync(join(files, 'apps/api/schema.sql'), tables);
    workbench = await openWorkbench(files, { settings: { 'headwater.local.autoStart': true } });
  });

  keepFailures('deeper', () => workbench);

  after(() => workbench?.close());

  it('starts its local service although no file is open, if the user wants that', async () => {
    const { page } = workbench;
    await untilStatus(page, /local: nothing deployed/);
    equal(await page.locator('.tab').count(), 0);
    await takeScreenshot(page, 'deeper-1-started');
    await openByName(page, 'apps/api/sync.yaml');
    await untilNews(page, /Deployed to local: 1 stream replicating\.$/, () =>
      runCommand(page, 'Headwater: Deploy Sync Config'),
    );
    await runCommand(page, 'Headwater: Stop Local Service');
    await untilStatus(page, /local: off/);
  });
});

/** Returns the commands in the palette, as soon as it has any. An open palette gets no commands of an extension that comes later. */
async function offeredCommands(page: Page): Promise<readonly string[]> {
  const rows = page.locator('.quick-input-list .monaco-list-row', { hasText: 'Headwater:' });
  let offered: readonly string[] = [];
  await insist('The palette has no command.', async () => {
    await page.keyboard.press('F1');
    await page.locator('.quick-input-widget input').fill('>Headwater: ');
    offered = (await comes(rows.first())) ? await linesOf(rows) : [];
    await page.keyboard.press('Escape');
    return offered.length > 0;
  });
  return offered;
}

function views(page: Page): Promise<number> {
  return page.locator('.activitybar .action-label[aria-label*="Headwater"]').count();
}

function notification(page: Page, text: string) {
  return page.locator('.notification-toast', { hasText: text }).first();
}
