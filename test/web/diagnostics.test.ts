import { match } from 'node:assert/strict';
import {
  errorSquiggles,
  openFile,
  openProblems,
  openWebWorkbench,
  runCommand,
  takeScreenshot,
  type Workbench,
} from '../support/workbench.ts';

/** One session: each step starts where the one before has ended. */
describe('A sync config in a browser without any server', () => {
  let workbench: Workbench;

  before(async () => {
    workbench = await openWebWorkbench();
  });

  afterEach(async function () {
    if (this.currentTest?.isFailed()) await takeScreenshot(workbench.page, 'web-failed');
  });

  after(() => workbench.close());

  it('is underlined where it is wrong', async () => {
    await openFile(workbench.page, 'sync-config.yaml');
    await errorSquiggles(workbench.page).first().waitFor({ state: 'attached' });
  });

  it('has its problem listed with source, code and place', async () => {
    const { page } = workbench;
    await openProblems(page);
    const row = page.locator('.markers-panel .monaco-list-row', { hasText: 'stremas' });
    const text = await row.textContent();
    for (const part of [/not known here/, /headwater/, /unknown-key/, /Ln 6, Col 1/]) match(text, part);
    await takeScreenshot(page, 'web-1-problem');
  });

  it('has a log', async () => {
    await runCommand(workbench.page, 'Headwater: Show Log');
    await workbench.page.locator('.part.panel .output-view').waitFor();
  });
});
