import { equal, match, ok } from 'node:assert/strict';
import { join } from 'node:path';
import { root } from '../../scripts/root.ts';
import {
  choose,
  chooseFromMenu,
  chooseRow,
  focusedName,
  keepToKeyboard,
  openByName,
  tabTo,
  typeCommand,
} from '../support/editor/keyboard.ts';
import { untilNews } from '../support/editor/news.ts';
import { showsLocal, untilGreen, untilStatus } from '../support/editor/statusBar.ts';
import {
  editorLines,
  keepFailures,
  linesOf,
  openWorkbench,
  save,
  serviceRows,
  takeScreenshot,
  type Workbench,
} from '../support/editor/workbench.ts';

/** One session, without a pointer: each step starts where the one before has ended. */
describe('A service, by the keyboard', () => {
  let workbench: Workbench;

  before(async () => {
    workbench = await openWorkbench(join(root, 'examples/todo'));
  });

  keepFailures('keyboard-service', () => workbench);
  keepToKeyboard(() => workbench);

  after(() => workbench?.close());

  const showMenu = async () => {
    const { page } = workbench;
    await typeCommand(page, 'Focus Status Bar');
    await tabTo(page, 'ArrowRight', /^Headwater\. local/);
    await page.keyboard.press('Enter');
  };

  it('starts from the view', async () => {
    const { page } = workbench;
    await typeCommand(page, 'View: Show Headwater');
    if (!(await showsLocal(page))) {
      await page.locator('.welcome-view-content', { hasText: 'No service is selected' }).waitFor();
      await tabTo(page, 'Tab', /^Start Local Service$/);
      await page.keyboard.press('Enter');
      await choose(page, 'With an embedded database');
    }
    await untilStatus(page, /local: (starting|waiting|nothing deployed)/);
    await untilStatus(page, /local: nothing deployed/);
    await takeScreenshot(page, 'keyboard-service-1-started');
  });

  it('is deployed to from the menu of the status, which says aloud how the service is', async () => {
    const { page } = workbench;
    await openByName(page, 'sync.yaml');
    await showMenu();
    await choose(page, 'Deploy Sync Config');
    await untilGreen(page);
    await typeCommand(page, 'Focus Status Bar');
    await tabTo(page, 'ArrowRight', /^Headwater\. local/);
    const spoken = await focusedName(page);
    match(spoken, /^Headwater\. local\. .*The deployed config is the same as the file/);
    ok(!/&nbsp;|\$\(|command:|\*\*/.test(spoken), spoken);
  });

  it('offers the errors of a file that it does not deploy, and leaves the panel closed until then', async () => {
    const { page } = workbench;
    await openByName(page, 'sync.yaml');
    await page.keyboard.press('Control+Home');
    await page.keyboard.type('streems: 1');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Control+K');
    await page.keyboard.press('Control+Y');
    await page
      .locator('.notification-toast', { hasText: 'Not deployed: the file has 1 error' })
      .getByRole('button', { name: 'Show Problems' })
      .waitFor();
    equal(await page.locator('.part.panel').isVisible(), false);
    await typeCommand(page, 'Notifications: Accept Notification Primary Action');
    await page.locator('.part.panel .composite-bar .action-item.checked', { hasText: 'Problems' }).waitFor();
    await page.locator('.markers-panel .monaco-list-row', { hasText: 'streems' }).waitFor();
    await takeScreenshot(page, 'keyboard-service-1-errors');
    await openByName(page, 'sync.yaml');
    await page.keyboard.press('Control+Home');
    await page.keyboard.press('Control+Shift+K');
    await save(page);
    await untilGreen(page);
    await page.keyboard.press('Control+J');
  });

  it('offers what can be done with a row of the view in its menu', async () => {
    const { page } = workbench;
    await typeCommand(page, 'Headwater: Focus on Sync Service View');
    const rows = serviceRows(page);
    await chooseRow(page, rows, 'Local database');
    await takeScreenshot(page, 'keyboard-service-2-view');
    await untilNews(page, /A command that opens psql was copied to the clipboard/, () =>
      chooseFromMenu(page, 'Copy psql Command'),
    );
    await chooseRow(page, rows, 'Local service');
    await untilNews(page, /The address of local was copied to the clipboard/, () =>
      chooseFromMenu(page, 'Copy Service Address'),
    );
    // The role is for a screen reader that the editor has detected, but that no setting names.
    await page.getByRole('alert', { name: 'The address of local was copied to the clipboard.' }).waitFor();
  });

  it('explains a row of a table that is chosen there', async () => {
    const { page } = workbench;
    const rows = serviceRows(page);
    await chooseRow(page, rows, 'Active config');
    await page.keyboard.press('ArrowRight');
    await chooseRow(page, rows, 'lists');
    await chooseFromMenu(page, 'Explain Row');
    await page.locator('.quick-input-title', { hasText: 'Explain Row: Row' }).waitFor();
    await page.keyboard.type('{"id": "1", "owner_id": "ada", "name": "Groceries"}');
    await page.keyboard.press('Enter');
    await editorLines(page).filter({ hasText: 'Groceries' }).first().waitFor();
    match((await linesOf(editorLines(page))).join('\n'), /lists.*sync\.yaml:\d+:\d+/);
    await takeScreenshot(page, 'keyboard-service-3-explained');
  });

  it('leads from its menu to all commands, and stops', async () => {
    const { page } = workbench;
    await showMenu();
    await choose(page, 'All Commands');
    await page
      .locator('.quick-input-list .monaco-list-row', { hasText: 'Headwater: Create Sync Config' })
      .first()
      .waitFor();
    await takeScreenshot(page, 'keyboard-service-4-commands');
    await page.keyboard.press('Escape');
    await showMenu();
    await choose(page, 'Stop Local Service');
    await untilStatus(page, /local: off/);
    await takeScreenshot(page, 'keyboard-service-5-stopped');
  });
});
