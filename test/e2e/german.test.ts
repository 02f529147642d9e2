import { typeCommand } from '../support/editor/keyboard.ts';
import {
  errorSquiggles,
  keepFailures,
  openFile,
  openProblems,
  openWorkbench,
  takeScreenshot,
  type Workbench,
} from '../support/editor/workbench.ts';

/** One session: each step starts where the one before has ended. */
describe('In a German editor', () => {
  let workbench: Workbench;

  before(async () => {
    workbench = await openWorkbench(undefined, { language: 'de' });
  });

  keepFailures('german', () => workbench);

  after(() => workbench?.close());

  it('problems are reported in German, with their names', async () => {
    const { page } = workbench;
    await openFile(page, 'sync-mistake.yaml');
    await errorSquiggles(page).first().waitFor({ state: 'attached' });
    const rows = await openProblems(page);
    await rows.filter({ hasText: 'ist hier nicht bekannt. Meinten Sie' }).first().waitFor();
    await takeScreenshot(page, 'german-1-problems');
  });

  it('commands and the view have German titles', async () => {
    const { page } = workbench;
    await typeCommand(page, 'Headwater: Ziel auswählen');
    await page.locator('.quick-input-title', { hasText: 'Ziel auswählen' }).waitFor();
    await takeScreenshot(page, 'german-2-commands');
    await page.keyboard.press('Escape');
  });
});
