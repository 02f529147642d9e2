import { match } from 'node:assert/strict';
import { untilNews } from '../../support/editor/news.ts';
import { shareWorkbench } from '../../support/editor/sharedWorkbench.ts';
import { untilStatus } from '../../support/editor/statusBar.ts';
import {
  linesOf,
  openFile,
  openServiceView,
  pick,
  runCommand,
  serviceRows,
  takeScreenshot,
} from '../../support/editor/workbench.ts';
import { makeForeignProject } from '../../support/processes/foreignProject.ts';
import { type ForeignService, openForeignService } from '../../support/processes/foreignService.ts';

/** One session: each step starts where the one before has ended. Its target is gone with its files. */
describe('A deploy that takes long, to a service that is not ours', () => {
  let service: ForeignService;

  before(async () => {
    service = await openForeignService();
  });

  const workbench = shareWorkbench('followed', { from: () => makeForeignProject(service.url) });

  after(() => service.close());

  it('is followed', async () => {
    const { page } = workbench();
    await openFile(page, 'sync.yaml');
    await runCommand(page, 'Headwater: Select Target');
    await pick(page, 'cli.yaml');
    await untilStatus(page, /: nothing deployed/);
    await runCommand(page, 'Headwater: Deploy Sync Config');
    await untilStatus(page, /: copying/);
    await takeScreenshot(page, 'followed-1-copying');
  });

  it('continues while nobody looks at it', async () => {
    const { page } = workbench();
    await runCommand(page, 'Headwater: Deploy Sync Config');
    await page.locator('.quick-input-title', { hasText: 'A deploy is in progress' }).waitFor();
    await takeScreenshot(page, 'followed-2-question');
    await untilNews(page, /accepted the config and continues to deploy it/, () =>
      pick(page, 'Stop Following'),
    );
    await untilStatus(page, /: copying/);
    service.activate();
    await untilStatus(page, /^\s*127\.0\.0\.1:\d+\s*$/);
  });

  it('leaves a view in which nothing is made up', async () => {
    const { page } = workbench();
    await openServiceView(page);
    const rows = serviceRows(page);
    await rows.filter({ hasText: 'Active config' }).first().click();
    await rows.filter({ hasText: 'Streams' }).waitFor();
    match((await linesOf(rows)).join('\n'), /Streams\s*not reported by this service/);
    await takeScreenshot(page, 'followed-3-view');
  });
});
