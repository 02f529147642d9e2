import { deepEqual, match } from 'node:assert/strict';
import {
  errorSquiggles,
  keepFailures,
  linesOf,
  openFile,
  openProblems,
  openWebWorkbench,
  placesOf,
  showLog,
  sqlMistakes,
  takeScreenshot,
  type Workbench,
} from '../support/editor/workbench.ts';

/** One session: each step starts where the one before has ended. */
describe('A sync config in a browser without any server', () => {
  let workbench: Workbench;

  before(async () => {
    workbench = await openWebWorkbench();
  });

  keepFailures('web', () => workbench);

  after(() => workbench?.close());

  it('is underlined where it is wrong', async () => {
    await openFile(workbench.page, 'sync-config.yaml');
    await errorSquiggles(workbench.page).first().waitFor({ state: 'attached' });
  });

  it('has its problem listed with source, code and place', async () => {
    const { page } = workbench;
    const [, problem = ''] = await linesOf(await openProblems(page));
    for (const part of [/not known here/, /headwater/, /unknown-key/, /Ln 6, Col 1/]) match(problem, part);
    await takeScreenshot(page, 'web-1-problem');
  });

  it('has a log', async () => {
    await showLog(workbench.page);
  });

  it('has its SQL checked in every kind of scalar', async () => {
    const { page } = workbench;
    await openFile(page, 'sync-sql.yaml');
    await openProblems(page);
    await errorSquiggles(page)
      .nth(sqlMistakes.length - 1)
      .waitFor({ state: 'attached' });
    await page.locator('.markers-panel .monaco-list-row', { hasText: 'sync-sql.yaml' }).waitFor();
    deepEqual(await placesOf(page, 'sql-syntax'), sqlMistakes);
    await takeScreenshot(page, 'web-2-sql');
  });
});
