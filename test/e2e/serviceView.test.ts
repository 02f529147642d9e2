import { match } from 'node:assert/strict';
import { join } from 'node:path';
import { root } from '../../scripts/root.ts';
import { inConsole, untilDeviceIn } from '../support/editor/consoleFrame.ts';
import { startAndDeploy } from '../support/editor/localService.ts';
import { untilNews } from '../support/editor/news.ts';
import { ownProcesses } from '../support/editor/ownProcesses.ts';
import { untilStatus } from '../support/editor/statusBar.ts';
import {
  answer,
  editorLines,
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
  type Workbench,
} from '../support/editor/workbench.ts';

/** One session: each step starts where the one before has ended. */
describe('A local service that needs nothing else, and its view', () => {
  let workbench: Workbench;
  const isHealthy = /^\s*local\s*$/;
  const rows = () => serviceRows(workbench.page);

  before(async () => {
    workbench = await openWorkbench(join(root, 'examples/todo'));
  });

  keepFailures('service-view', () => workbench);

  after(() => workbench?.close());

  it('shows how many buckets each stream has', async () => {
    const { page } = workbench;
    await openFile(page, 'sync.yaml');
    await startAndDeploy(page, 'With an embedded database');
    await openServiceView(page);
    await rows().filter({ hasText: 'Active config' }).first().click();
    await rows().filter({ hasText: 'Streams' }).first().click();
    await rows()
      .filter({ hasText: /lists\s*\d+ buckets?/ })
      .first()
      .waitFor();
    await takeScreenshot(page, 'service-view-1-streams');
    await rows().filter({ hasText: 'Deploy when saved' }).waitFor();
    match((await linesOf(rows())).join('\n'), /Clients\s*0/);
  });

  it('deploys a saved file once its box is checked', async () => {
    const { page } = workbench;
    const box = rows()
      .filter({ hasText: 'Deploy when saved' })
      .locator('.monaco-custom-toggle, .custom-view-tree-node-item-checkbox');
    await box.first().click();
    await editorLines(page).first().click();
    await page.keyboard.press('Control+Home');
    await page.keyboard.type('# by hand\n');
    await untilStatus(page, /local: not deployed/);
    await untilNews(page, /Deployed to local/, () => save(page));
    await untilStatus(page, isHealthy);
    await takeScreenshot(page, 'service-view-2-saved');
  });

  it('shows what a user gets', async () => {
    const { page } = workbench;
    await runCommand(page, 'Headwater: Preview as User');
    await answer(page, 'Preview as User: Who', '{"sub": "ada", "role": "admin"}');
    const console = await untilDeviceIn(page, 'ada');
    await console.getByRole('button', { name: 'As text' }).click();
    await answer(page, 'Preview as User: Subscriptions', '');
    await editorLines(page).filter({ hasText: 'Rows of ada from local' }).waitFor();
    match(
      (await linesOf(editorLines(page))).join('\n'),
      /auto-subscribed, priority 3\n\s*lists: \d rows?\n\s*id +name/,
    );
    await takeScreenshot(page, 'service-view-3-preview');
  });

  it('is not called live on any surface while it is frozen', async () => {
    const { page } = workbench;
    const console = inConsole(page);
    await runCommand(page, 'Headwater: Open Console');
    await console.locator('[data-link="connected"]').waitFor();
    await untilStatus(page, isHealthy);
    const [service = 0] = ownProcesses('/dist/service.js start');
    process.kill(service, 'SIGSTOP');
    try {
      await untilStatus(page, /local: last known \d+ s ago/);
      await console.locator('[data-link="gone"]', { hasText: /Last known \d+ s ago/ }).waitFor();
      await page.getByText('This was the state then:').first().waitFor();
      // The sentence above the rows may be drawn a moment before them.
      await rows().locator('.codicon-pass, .codicon-sync').first().waitFor({ state: 'detached' });
      await takeScreenshot(page, 'service-view-4-frozen');
    } finally {
      process.kill(service, 'SIGCONT');
    }
    await untilStatus(page, isHealthy);
    await console.locator('[data-link="connected"]').waitFor();
    await rows().locator('.codicon-pass').first().waitFor();
    await takeScreenshot(page, 'service-view-5-thawed');
  });

  it('explains a row that is only thought of', async () => {
    const { page } = workbench;
    await runCommand(page, 'Headwater: Explain Row');
    await pick(page, 'lists');
    await answer(page, 'Explain Row: Row', '{"id": "1", "owner_id": "user-1", "name": "Groceries"}');
    await editorLines(page).filter({ hasText: 'Groceries' }).first().waitFor();
    match((await linesOf(editorLines(page))).join('\n'), /lists.*sync\.yaml:10:\d+\n.*"user-1"/);
    await takeScreenshot(page, 'service-view-6-explained');
  });

  it('restarts, and has what it had', async () => {
    const { page } = workbench;
    await runCommand(page, 'Headwater: Restart Local Service');
    await untilStatus(page, /local: (stopping|starting)/);
    await untilStatus(page, isHealthy);
  });

  it('stops', async () => {
    const { page } = workbench;
    await runCommand(page, 'Headwater: Stop Local Service');
    await untilStatus(page, /local: off/);
  });
});
