import { equal, match } from 'node:assert/strict';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { root } from '../../scripts/root.ts';
import {
  editorLines,
  keepFailures,
  linesOf,
  openFile,
  openWorkbench,
  runCommand,
  save,
  takeScreenshot,
  type Workbench,
} from '../support/workbench.ts';

/** Milliseconds: the database of the local service is made anew, perhaps on a busy machine. */
const patience = 50_000;

/** One session: each step starts where the one before has ended. */
describe('The local service in the workbench', () => {
  let workbench: Workbench;

  before(async () => {
    workbench = await openWorkbench(join(root, 'examples/todo'));
  });

  keepFailures('services', () => workbench);

  after(() => workbench.close());

  /** What the status bar says of the target, its icon left out. */
  const untilStatus = (text: RegExp) =>
    workbench.page
      .locator('.statusbar-item[id$="headwater.target"]')
      .filter({ hasText: text })
      .waitFor({ timeout: patience });

  const untilNews = (text: RegExp) =>
    workbench.page
      .locator('.statusbar-item')
      .filter({ hasText: text })
      .first()
      .waitFor({ timeout: patience });

  async function pick(page: Page, label: string): Promise<void> {
    await page.locator('.quick-input-list .monaco-list-row', { hasText: label }).first().click();
  }

  it('is started from the palette, with a database of its own', async () => {
    const { page } = workbench;
    await openFile(page, 'sync.yaml');
    await page.locator('.part.editor .codelens-decoration', { hasText: 'Deploy' }).waitFor();
    await runCommand(page, 'Headwater: Start Local Service');
    await pick(page, 'With a database of its own');
    await untilStatus(/local: (starting|nothing deployed)/);
    await untilStatus(/local: nothing deployed/);
    await takeScreenshot(page, 'services-1-started');
  });

  it('takes the sync config without a question, and is healthy when it serves', async () => {
    const { page } = workbench;
    await runCommand(page, 'Headwater: Deploy Sync Config');
    await untilNews(/Deployed to local: 2 streams replicating/);
    await untilStatus(/^\s*local\s*$/);
    await takeScreenshot(page, 'services-2-healthy');
    equal(await page.locator('.notifications-toasts .notification-list-item').count(), 0);
  });

  it('is told from the file as soon as that changes', async () => {
    const { page } = workbench;
    await editorLines(page).filter({ hasText: 'SELECT id, name' }).first().click();
    await page.keyboard.press('End');
    await page.keyboard.type(" AND name <> ''");
    await untilStatus(/local: not deployed/);
    await save(page);
    await takeScreenshot(page, 'services-3-not-deployed');
  });

  it('is compared with the file', async () => {
    const { page } = workbench;
    await runCommand(page, 'Headwater: Compare with Deployed');
    await page
      .locator('.tab.active', { hasText: 'local (active) ↔ sync.yaml' })
      .waitFor({ timeout: patience });
    await page
      .locator('.monaco-diff-editor .line-insert, .monaco-diff-editor .char-insert')
      .first()
      .waitFor();
    await takeScreenshot(page, 'services-4-compared');
    await page.keyboard.press('Control+F4');
    await page.locator('.tab.active[data-resource-name="sync.yaml"]').waitFor();
  });

  it('takes the change', async () => {
    await runCommand(workbench.page, 'Headwater: Deploy Sync Config');
    await untilNews(/Deployed to local: 1 stream replicating/);
    await untilStatus(/^\s*local\s*$/);
  });

  it('copies everything again when it is told to', async () => {
    const { page } = workbench;
    await runCommand(page, 'Headwater: Reprocess');
    await untilNews(/local copies all tables again as/);
    await untilStatus(/^\s*local\s*$/);
  });

  it('shows its tables in the tree', async () => {
    const { page } = workbench;
    await page.locator('.pane-header', { hasText: 'Sync Service' }).click();
    const rows = page.locator('.pane', { hasText: 'Sync Service' }).locator('.monaco-list-row');
    await rows.filter({ hasText: 'Active config' }).first().click();
    await rows.filter({ hasText: 'todos' }).first().waitFor();
    match((await linesOf(rows)).join('\n'), /Source default/);
    await takeScreenshot(page, 'services-5-tree');
  });

  it('gives tokens for clients', async () => {
    const { page } = workbench;
    await runCommand(page, 'Headwater: Create Client Token');
    await page.locator('.quick-input-title', { hasText: 'Create Client Token' }).waitFor();
    await page.locator('.quick-input-widget input').pressSequentially('user-1');
    await page.keyboard.press('Enter');
    await untilNews(/A token for user-1 is in the clipboard/);
  });

  it('explains why a row goes nowhere, with links into the file', async () => {
    const { page } = workbench;
    await openFile(page, 'sync.yaml');
    await runCommand(page, 'Headwater: Explain Row');
    await pick(page, 'lists');
    await page.locator('.quick-input-title', { hasText: 'Explain Row: Row' }).waitFor();
    const row = JSON.stringify({ id: '1', owner_id: 'user-1', name: '' });
    await page.locator('.quick-input-widget input').fill(row);
    await page.keyboard.press('Enter');
    await editorLines(page).filter({ hasText: 'goes nowhere' }).first().waitFor({ timeout: patience });
    match((await linesOf(editorLines(page))).join('\n'), /lists.*sync\.yaml:9:\d+[\s\S]*name <> ''/);
    await takeScreenshot(page, 'services-9-explained');
  });

  // Before another target is selected: a browser writes such a choice down a moment later.
  it('survives a reload of the window', async () => {
    const { page } = workbench;
    await page.reload();
    await page.locator('.monaco-workbench .part.statusbar').waitFor();
    await untilStatus(/^\s*local\s*$/);
    await takeScreenshot(page, 'services-7-reloaded');
  });

  it('is one of several targets', async () => {
    const { page } = workbench;
    await runCommand(page, 'Headwater: Select Target');
    const rows = page.locator('.quick-input-list .monaco-list-row');
    await rows.filter({ hasText: 'service.yaml' }).first().waitFor();
    await takeScreenshot(page, 'services-6-targets');
    await pick(page, 'service.yaml');
    await untilStatus(/127\.0\.0\.1:8080/);
    await runCommand(page, 'Headwater: Select Target');
    await pick(page, 'this workspace');
    await untilStatus(/^\s*local\s*$/);
  });

  it('stops', async () => {
    const { page } = workbench;
    await runCommand(page, 'Headwater: Stop Local Service');
    await untilStatus(/local: off/);
    await takeScreenshot(page, 'services-8-off');
  });
});
