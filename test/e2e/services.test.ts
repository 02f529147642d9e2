import { deepEqual, equal, match } from 'node:assert/strict';
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../scripts/rigs/temporary.ts';
import { untilDeviceIn } from '../support/editor/consoleFrame.ts';
import { example, serviceConfig } from '../support/editor/exampleProject.ts';
import { untilNews } from '../support/editor/news.ts';
import { untilExplained, untilStatus } from '../support/editor/statusBar.ts';
import {
  answer,
  chooseAction,
  chooseInServiceView,
  closeTab,
  editorLines,
  errorSquiggles,
  keepFailures,
  linesOf,
  openFile,
  openServiceView,
  openWorkbench,
  pick,
  runCommand,
  save,
  serviceRows,
  takeScreenshot,
  untilNoProblems,
  type Workbench,
} from '../support/editor/workbench.ts';
import { postgresPrograms, startPostgres, type TestPostgres } from '../support/processes/postgres.ts';

/** So many that copying them at this pace takes longer than two looks of the editor. */
const [rows, pace] = [30_000, 3_000];
/** Ada's, and without a name. */
const unnamed = '00000000-0000-0000-0000-0000000000aa';
/** Ada's, in the example. */
const groceries = '00000000-0000-0000-0000-000000000001';

/** One session: each step starts where the one before has ended. */
(postgresPrograms.kind === 'missing' ? describe.skip : describe)('From the example to a service', () => {
  let postgres: TestPostgres;
  let workbench: Workbench;
  let files: readonly string[];

  before(async () => {
    postgres = await startPostgres();
    await postgres.query(readFileSync(join(example, 'schema.sql'), 'utf8'));
    await postgres.query(`
      CREATE PUBLICATION powersync FOR TABLE lists, todos;
      INSERT INTO lists (id, owner_id, name) VALUES ('${unnamed}', 'ada', '');
      INSERT INTO lists (owner_id, name) SELECT 'brian', 'List ' || i FROM generate_series(1, ${rows}) AS i;
    `);
    const project = temporaryFolder('example');
    cpSync(example, project, { recursive: true });
    writeFileSync(join(project, 'service.yaml'), serviceConfig);
    writeFileSync(join(project, '.env'), `PS_DATA_SOURCE_URI=${postgres.uri}\n`);
    files = readdirSync(project);
    workbench = await openWorkbench(project);
  });

  keepFailures('services', () => workbench);

  after(async () => {
    await workbench?.close();
    await postgres.stop();
  });

  const isHealthy = /^\s*local\s*$/;

  it('shows the mistake in the playground', async () => {
    const { page } = workbench;
    await openFile(page, 'playground/sync.yaml');
    await errorSquiggles(page).first().waitFor({ state: 'attached' });
    await takeScreenshot(page, 'services-01-mistake');
  });

  it('repairs it by a quick fix', async () => {
    const { page } = workbench;
    await chooseAction(page, 'stream:', 'Write streams');
    await untilNoProblems(page);
    await save(page);
    await takeScreenshot(page, 'services-02-repaired');
  });

  it('starts from the palette, with the database of the project', async () => {
    const { page } = workbench;
    await openFile(page, 'sync.yaml');
    await page.locator('.part.editor .codelens-decoration', { hasText: 'Deploy' }).waitFor();
    await runCommand(page, 'Headwater: Start Local Service');
    await page.locator('.quick-input-list .monaco-list-row', { hasText: 'service.yaml' }).waitFor();
    await takeScreenshot(page, 'services-03-choice');
    await pick(page, 'With the database in service.yaml');
    await untilStatus(page, /local: (starting|nothing deployed)/);
    await untilStatus(page, /local: nothing deployed/);
    await takeScreenshot(page, 'services-04-started');
  });

  it('takes the sync config without a question, and tells how far the copy is', async () => {
    const { page } = workbench;
    const release = await holdCopying();
    await runCommand(page, 'Headwater: Deploy Sync Config');
    await untilStatus(page, /local: copying/);
    await untilExplained(page, /No config is active until then/, 'services-05-waiting');
    await slowCopying(pace);
    // Both are shown for some seconds only, and either may come first.
    await Promise.all([
      untilNews(page, /Deployed to local: 2 streams replicating/, release),
      untilStatus(page, /local: copying, (?:[1-9][\d,]* rows|.* left)/).then(() =>
        takeScreenshot(page, 'services-06-copying'),
      ),
    ]);
  });

  it('is healthy when it serves', async () => {
    const { page } = workbench;
    await untilStatus(page, isHealthy);
    await untilExplained(
      page,
      /Last progress \d+ s ago.*The deployed config is the same as the file/,
      'services-06-healthy',
    );
  });

  it('differs from the file as soon as the file changes', async () => {
    const { page } = workbench;
    await editorLines(page).filter({ hasText: 'SELECT id, name' }).first().click();
    await page.keyboard.press('End');
    await page.keyboard.type(" AND name <> ''");
    await untilStatus(page, /local: not deployed/);
    await save(page);
    await takeScreenshot(page, 'services-07-not-deployed');
  });

  it('is compared with the file', async () => {
    const { page } = workbench;
    await runCommand(page, 'Headwater: Compare with Deployed');
    await page.locator('.tab.active', { hasText: /^local \(config 1, active\) ↔ sync\.yaml/ }).waitFor();
    await page
      .locator('.monaco-diff-editor .line-insert, .monaco-diff-editor .char-insert')
      .first()
      .waitFor();
    await takeScreenshot(page, 'services-08-compared');
    await closeTab(page);
  });

  it('is deployed with the change', async () => {
    const { page } = workbench;
    await untilNews(page, /Deployed to local: 2 streams replicating/, () =>
      runCommand(page, 'Headwater: Deploy Sync Config'),
    );
    await untilStatus(page, isHealthy);
    await untilExplained(page, /The deployed config is the same as the file/, 'services-09-deployed');
  });

  it('shows its tables in the tree', async () => {
    const { page } = workbench;
    await openServiceView(page);
    await treeRows().filter({ hasText: 'Active config' }).first().click();
    await treeRows().filter({ hasText: 'todos' }).first().waitFor();
    match((await linesOf(treeRows())).join('\n'), /Source default/);
    await takeScreenshot(page, 'services-10-tree');
  });

  it('is not green while the source database is gone, and says which', async () => {
    const { page } = workbench;
    await postgres.halt();
    await untilStatus(page, /local: source not reachable/);
    await treeRows().filter({ hasText: 'not reachable' }).first().waitFor();
    await untilExplained(page, new RegExp(`127\\.0\\.0\\.1:${postgres.port}`), 'services-11-source-gone');
  });

  it('recovers by itself when the source is back', async () => {
    const { page } = workbench;
    await postgres.resume();
    await untilStatus(page, isHealthy);
    await takeScreenshot(page, 'services-12-source-back');
  });

  it('copies everything again on request', async () => {
    const { page } = workbench;
    const release = await holdCopying();
    await untilNews(page, /local copies all tables of config \d+ again/, () =>
      runCommand(page, 'Headwater: Reprocess All Rows'),
    );
    await untilStatus(page, /local: copying/);
    await untilExplained(page, /The active config serves until then/, 'services-13-reprocessing');
    await release();
    await untilStatus(page, isHealthy);
  });

  it('slows a copy, pauses it and gives it up', async () => {
    const { page } = workbench;
    const release = await holdCopying();
    await untilNews(page, /local copies all tables of config \d+ again/, () =>
      runCommand(page, 'Headwater: Reprocess All Rows'),
    );
    await untilStatus(page, /local: copying/);
    await slowCopying(pace / 2);
    await runCommand(page, 'Headwater: Pause or Slow Copying');
    await untilNews(page, /local has paused the copy/, () => pick(page, 'Pause'));
    await untilStatus(page, /local.*paused/);
    await untilExplained(page, /paused/, 'services-13-paused');
    await runCommand(page, 'Headwater: Pause or Slow Copying');
    await page.locator('.quick-input-list .monaco-list-row', { hasText: 'Resume' }).waitFor();
    await takeScreenshot(page, 'services-13-control');
    await pick(page, 'Give Up');
    const dialog = page.locator('.monaco-dialog-box');
    await dialog.waitFor();
    await takeScreenshot(page, 'services-13-give-up');
    await untilNews(page, /local has given up the copy/, () =>
      dialog.locator('.monaco-button', { hasText: 'Give Up' }).click(),
    );
    await release();
    await untilStatus(page, isHealthy);
  });

  it('copies the rows of one stream again', async () => {
    const { page } = workbench;
    await chooseInServiceView(page, 'Reprocess Stream');
    await page.locator('.quick-input-list .monaco-list-row', { hasText: 'todos' }).waitFor();
    await takeScreenshot(page, 'services-13-streams');
    await untilNews(page, /local copies todos of config 2 again/, () => pick(page, 'todos'));
    await untilStatus(page, isHealthy);
  });

  it('lists each deploy once, newest first, after all of these copies', async () => {
    const { page } = workbench;
    await runCommand(page, 'Headwater: Show Deployed Config');
    const rows = page.locator('.quick-input-list .monaco-list-row');
    await rows.filter({ hasText: 'config 1' }).waitFor();
    await takeScreenshot(page, 'services-13-versions');
    const [newest = '', oldest = '', ...others] = await linesOf(rows);
    match(newest, /^config 2\s*active · .* · deployed from here$/);
    match(oldest, /^config 1\s*earlier · .* · deployed from here$/);
    deepEqual(others, []);
    await pick(page, 'config 1');
    await page.locator('.tab.active', { hasText: 'local · config 1 · sync.yaml' }).waitFor();
    await closeTab(page);
  });

  it('explains why a row of its database is not synced, with links into the file', async () => {
    const { page } = workbench;
    await openFile(page, 'sync.yaml');
    await runCommand(page, 'Headwater: Explain Row');
    await pick(page, 'lists');
    await answer(page, 'Explain Row: Row', unnamed);
    await pick(page, 'All users, as text');
    await editorLines(page).filter({ hasText: 'is not synced:' }).first().waitFor();
    match((await linesOf(editorLines(page))).join('\n'), /lists.*sync\.yaml:9:\d+[\s\S]*name <> ''/);
    await takeScreenshot(page, 'services-14-explained');
  });

  it('shows what a user gets', async () => {
    const { page } = workbench;
    await runCommand(page, 'Headwater: Preview as User');
    await answer(page, 'Preview as User: Who', 'ada');
    const console = await untilDeviceIn(page, 'ada');
    await console.getByRole('button', { name: 'As text' }).click();
    await page.locator('.quick-input-title', { hasText: 'Subscriptions' }).waitFor();
    await takeScreenshot(page, 'services-15-preview-question');
    await answer(page, 'Preview as User: Subscriptions', `{"todos": {"list_id": "${groceries}"}}`);
    await editorLines(page).filter({ hasText: 'Olives' }).waitFor();
    match((await linesOf(editorLines(page))).join('\n'), /Buckets: 2\. Rows: 3\.[\s\S]*Groceries/);
    await takeScreenshot(page, 'services-15-previewed');
  });

  it('gives tokens for clients', async () => {
    const { page } = workbench;
    await runCommand(page, 'Headwater: Create Client Token');
    await untilNews(page, /A token for ada was copied to the clipboard/, () =>
      answer(page, 'Create Client Token', 'ada'),
    );
    await takeScreenshot(page, 'services-16-token');
  });

  it('has notified of nothing', async () => {
    const { page } = workbench;
    await runCommand(page, 'Notifications: Show Notifications');
    await page.locator('.notifications-center').waitFor();
    await takeScreenshot(page, 'services-18-notifications');
    deepEqual(await page.locator('.notifications-center .notification-list-item').allInnerTexts(), []);
  });

  it('survives a reload of the window', async () => {
    const { page } = workbench;
    await page.reload();
    await page.locator('.monaco-workbench .part.statusbar').waitFor();
    await untilStatus(page, isHealthy);
    await takeScreenshot(page, 'services-17-reloaded');
  });

  it('ticks the steps of the walkthrough, although they were done before it is opened', async () => {
    const { page } = workbench;
    const done = (step: string) => page.locator(`[data-done-step-id$="#${step}"][aria-checked="true"]`);
    await runCommand(page, 'Welcome: Open Walkthrough...');
    await pick(page, 'Sync data to apps with Headwater');
    for (const step of ['open', 'start', 'deploy']) await done(step).waitFor();
    equal(await done('connect').count(), 0);
    await untilNews(page, /A token for ada was copied to the clipboard/, async () => {
      await runCommand(page, 'Headwater: Create Client Token');
      await answer(page, 'Create Client Token', 'ada');
    });
    await done('connect').waitFor();
    await takeScreenshot(page, 'services-17-walkthrough');
    await closeTab(page);
  });

  it('is one of several targets', async () => {
    const { page } = workbench;
    await runCommand(page, 'Headwater: Select Target');
    await page.locator('.quick-input-list .monaco-list-row', { hasText: 'service.yaml' }).waitFor();
    await takeScreenshot(page, 'services-18-targets');
    await pick(page, 'service.yaml');
    await untilStatus(page, /127\.0\.0\.1:8080/);
    await takeScreenshot(page, 'services-19-other-target');
    await runCommand(page, 'Headwater: Select Target');
    await pick(page, 'this workspace');
    await untilStatus(page, isHealthy);
  });

  it('stops', async () => {
    const { page } = workbench;
    await runCommand(page, 'Headwater: Stop Local Service');
    await untilStatus(page, /local: off/);
    await takeScreenshot(page, 'services-20-off');
  });

  it('leaves nothing in the folder of the project', () => {
    deepEqual(readdirSync(workbench.folder), files);
  });

  /** A copy begins when no transaction is open that has written; returns what ends this one. */
  async function holdCopying(): Promise<() => Promise<void>> {
    const client = await postgres.client();
    await client.query('BEGIN');
    await client.query('SELECT pg_current_xact_id()');
    return () => client.end();
  }

  async function slowCopying(rowsPerSecond: number): Promise<void> {
    const { page } = workbench;
    const news = new RegExp(`local copies at most ${rowsPerSecond.toLocaleString('en')} rows a second`);
    await runCommand(page, 'Headwater: Pause or Slow Copying');
    await pick(page, 'Slow Down');
    await untilNews(page, news, () =>
      answer(page, 'Maximum number of rows per second', String(rowsPerSecond)),
    );
  }

  const treeRows = () => serviceRows(workbench.page);
});
