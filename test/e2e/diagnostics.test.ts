import { match, ok } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  editorLines,
  errorSquiggles,
  hoverOver,
  openFile,
  openProblems,
  openWorkbench,
  runCommand,
  save,
  takeScreenshot,
  untilNoProblems,
  type Workbench,
} from '../support/workbench.ts';

/** One session: each step starts where the one before has ended. */
describe('A sync config in the workbench', () => {
  let workbench: Workbench;

  before(async () => {
    workbench = await openWorkbench();
  });

  afterEach(async function () {
    if (this.currentTest?.isFailed()) await takeScreenshot(workbench.page, 'workbench-failed');
  });

  after(() => workbench.close());

  it('is left alone when it belongs to others', async () => {
    const { page } = workbench;
    await openFile(page, 'powersync.yaml');
    const problems = await openProblems(page);
    await page.locator('.markers-panel', { hasText: 'No problems' }).waitFor();
    ok((await problems.count()) === 0);
  });

  it('is underlined where it is wrong', async () => {
    await openFile(workbench.page, 'sync-config.yaml');
    await errorSquiggles(workbench.page).first().waitFor({ state: 'attached' });
    ok((await errorSquiggles(workbench.page).count()) === 1);
  });

  it('has its problem listed with source, code and place', async () => {
    const { page } = workbench;
    const row = page.locator('.markers-panel .monaco-list-row', { hasText: 'stremas' });
    const text = await row.textContent();
    for (const part of [/not known here/, /headwater/, /unknown-key/, /Ln 6, Col 1/]) match(text, part);
    await takeScreenshot(page, 'workbench-1-problem');
  });

  it('explains the problem when hovered over', async () => {
    const hover = await hoverOver(workbench.page, 'stremas');
    match(await hover.textContent(), /not known here[\s\S]*headwater\(unknown-key\)/);
    await takeScreenshot(workbench.page, 'workbench-2-hover');
  });

  it('keeps its problem when the language server is restarted from the palette', async () => {
    const { page } = workbench;
    await runCommand(page, 'Headwater: Restart Language Server');
    await errorSquiggles(page).first().waitFor({ state: 'attached' });
  });

  it('has a log', async () => {
    const { page } = workbench;
    await runCommand(page, 'Headwater: Show Log');
    await page.locator('.part.panel .output-view').waitFor();
    await takeScreenshot(page, 'workbench-3-log');
  });

  it('is clean when the mistake is deleted, and is saved', async () => {
    const { page, folder } = workbench;
    await editorLines(page).last().click();
    await page.keyboard.press('Control+End');
    await page.keyboard.press('Shift+ArrowUp');
    await page.keyboard.press('Delete');
    await untilNoProblems(page);
    await save(page);
    await takeScreenshot(page, 'workbench-4-repaired');
    match(readFileSync(join(folder, 'sync-config.yaml'), 'utf8'), /auth\.user_id\(\)\n$/);
  });
});
