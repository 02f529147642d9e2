import { deepEqual, match } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { shareWorkbench } from '../../support/editor/sharedWorkbench.ts';
import { editorLines, linesOf, openFile, save, takeScreenshot } from '../../support/editor/workbench.ts';

/** One session: each step starts where the one before has ended. */
describe('Names in the workbench', () => {
  const workbench = shareWorkbench('navigation');

  const lineWith = (text: string) => editorLines(workbench().page).filter({ hasText: text }).first();

  it('have behind a stream how many buckets a client gets', async () => {
    await openFile(workbench().page, 'sync-names.yaml');
    await lineWith('bucket').waitFor();
    const [line = ''] = await linesOf(lineWith('bucket'));
    match(line, /lists:.*1 bucket per row of lists/);
    await takeScreenshot(workbench().page, 'navigation-1-hint');
  });

  it('lead from a use to where they are defined', async () => {
    const { page } = workbench();
    await lineWith('query').click();
    await page.keyboard.press('End');
    await page.keyboard.press('F12');
    await page.locator('.statusbar-item', { hasText: 'Ln 4, Col 3' }).waitFor();
  });

  it('are renamed in all their places', async () => {
    const { page, folder } = workbench();
    await page.keyboard.press('F2');
    const input = page.locator('.rename-box input');
    await input.waitFor();
    await input.fill('ours');
    await page.keyboard.press('Enter');
    await lineWith('ours:').waitFor();
    await takeScreenshot(page, 'navigation-2-renamed');
    await save(page);
    const text = readFileSync(join(folder, 'sync-names.yaml'), 'utf8');
    deepEqual(text.match(/\b(?:mine|ours)\b/g), ['ours', 'ours']);
  });
});
