import { deepEqual, equal, match } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { shareWorkbench } from '../../support/editor/sharedWorkbench.ts';
import {
  editorLines,
  errorSquiggles,
  hoverOver,
  linesOf,
  openFile,
  openProblems,
  placesOf,
  runCommand,
  save,
  showLog,
  sqlMistakes,
  takeScreenshot,
  untilNoProblems,
} from '../../support/editor/workbench.ts';

/** One session: each step starts where the one before has ended. */
describe('A sync config in the workbench', () => {
  const workbench = shareWorkbench('workbench');

  it('is underlined where it is wrong', async () => {
    const { page } = workbench();
    await openFile(page, 'powersync.yaml');
    await openFile(page, 'sync-config.yaml');
    await errorSquiggles(page).first().waitFor({ state: 'attached' });
    equal(await errorSquiggles(page).count(), 1);
  });

  it('has its problem listed with source, code and place, and others have none', async () => {
    const { page } = workbench();
    const [file = '', problem = '', ...others] = await linesOf(await openProblems(page));
    match(file, /sync-config\.yaml/);
    for (const part of [/not known here/, /headwater/, /unknown-key/, /Ln 6, Col 1/]) match(problem, part);
    deepEqual(others, []);
    await takeScreenshot(page, 'workbench-1-problem');
  });

  it('explains the problem when hovered over', async () => {
    const hover = await hoverOver(workbench().page, 'stremas');
    match((await linesOf(hover)).join(' '), /not known here.*headwater ?unknown-key/);
    await takeScreenshot(workbench().page, 'workbench-2-hover');
  });

  it('has a page behind the code, which says why', async () => {
    const { page } = workbench();
    const hover = await hoverOver(page, 'stremas');
    await hover.locator('a.code-link', { hasText: 'unknown-key' }).click();
    await page.locator('.tab.active', { hasText: 'unknown-key.md' }).waitFor();
    const preview = page.frameLocator('iframe.webview.ready').frameLocator('iframe#active-frame');
    await preview.locator('h1', { hasText: 'unknown-key' }).waitFor();
    await preview.locator('h2', { hasText: 'Right' }).waitFor();
    await takeScreenshot(page, 'workbench-2-page');
    await page.locator('.tab[data-resource-name="sync-config.yaml"]').click();
  });

  it('keeps its problem when the language server is restarted from the palette', async () => {
    const { page } = workbench();
    await runCommand(page, 'Headwater: Restart Language Server');
    await errorSquiggles(page).first().waitFor({ state: 'attached' });
  });

  it('has a log', async () => {
    const { page } = workbench();
    await showLog(page);
    await takeScreenshot(page, 'workbench-3-log');
  });

  it('is clean when the mistake is deleted, and is saved', async () => {
    const { page, folder } = workbench();
    await editorLines(page).last().click();
    await page.keyboard.press('Control+End');
    await page.keyboard.press('Shift+ArrowUp');
    await page.keyboard.press('Delete');
    await untilNoProblems(page);
    await save(page);
    await takeScreenshot(page, 'workbench-4-repaired');
    match(readFileSync(join(folder, 'sync-config.yaml'), 'utf8'), /auth\.user_id\(\)\n$/);
  });

  it('has its SQL checked in every kind of scalar', async () => {
    const { page } = workbench();
    await openFile(page, 'sync-sql.yaml');
    await openProblems(page);
    await errorSquiggles(page)
      .nth(sqlMistakes.length - 1)
      .waitFor({ state: 'attached' });
    await page.locator('.markers-panel .monaco-list-row', { hasText: 'sync-sql.yaml' }).waitFor();
    deepEqual(await placesOf(page, 'sql-syntax'), sqlMistakes);
    await takeScreenshot(page, 'workbench-5-sql');
  });
});
