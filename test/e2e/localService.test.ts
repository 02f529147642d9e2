/**
 * The example with a local service that needs nothing else: the console before it runs, all of it by the keyboard, its view, and
 * the console with it. The parts and `oneState.test.ts` share one workbench, because opening one takes more processor time.
 */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Frame, Page } from 'playwright-core';
import { inConsole, untilDeviceIn } from '../support/editor/consoleFrame.ts';
import {
  choose,
  chooseFromMenu,
  chooseRow,
  focusedName,
  keepToKeyboard,
  openByName,
  tabTo,
  toStart,
  typeCommand,
} from '../support/editor/keyboard.ts';
import { localWindow } from '../support/editor/localWindow.ts';
import { untilNews } from '../support/editor/news.ts';
import { shareWorkbench } from '../support/editor/sharedWorkbench.ts';
import { showsLocal, untilGreen, untilStatus } from '../support/editor/statusBar.ts';
import {
  answer,
  comes,
  editorLines,
  insist,
  linesOf,
  openFile,
  openServiceView,
  pick,
  runCommand,
  save,
  serviceRows,
  takeScreenshot,
} from '../support/editor/workbench.ts';

const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const isHealthy = /^\s*local\s*$/;

/** One session: each step starts where the one before has ended. */
describe('A local service that needs nothing else', () => {
  const workbench = shareWorkbench('local-service', localWindow);
  const rows = () => serviceRows(workbench().page);

  describe('before it runs, in the console', () => {
    it('opens beside the file with its map, without any service', async () => {
      const { page } = workbench();
      await openFile(page, 'sync.yaml');
      await runCommand(page, 'Headwater: Open Console');
      await node(page, 'stream lists').waitFor();
      // Next to the editor, there is no room for a third column, and the sentences of the streams name the users.
      deepEqual(await namesOf(page), ['stream lists', 'stream todos', 'table lists', 'table todos']);
      await node(page, 'stream todos').getByText('Owners of the list (lists.owner_id) get').first().waitFor();
      await inConsole(page).getByText('the map shows what the file says').waitFor();
      await takeScreenshot(page, 'console-1-offline');
    });

    it('follows the text in the editor before it is saved', async () => {
      const { page } = workbench();
      await editorLines(page).first().click();
      await page.keyboard.press('Control+End');
      await page.keyboard.type('\n  everything:\n    query: SELECT * FROM lists');
      await node(page, 'stream everything').waitFor();
      await node(page, 'stream everything')
        .getByText('Everyone who subscribes gets all rows')
        .first()
        .waitFor();
      // A subscriber gets the lists of all owners.
      await inConsole(page).locator('[data-id="table lists"].open').waitFor();
      await takeScreenshot(page, 'console-2-typed');
    });

    it('leads by keyboard from a table to its stream, and to the line of the file', async () => {
      const { page } = workbench();
      await node(page, 'table todos').focus();
      await page.keyboard.press('ArrowRight');
      await inConsole(page).locator('[data-id="stream todos"]:focus').waitFor();
      await page.keyboard.press('Enter');
      await page.locator('.statusbar-item', { hasText: /Ln 11, Col 3/ }).waitFor();
    });

    it('leads from a table to the script that makes it', async () => {
      const { page } = workbench();
      await node(page, 'table lists').click();
      await page.locator('.tab.active[data-resource-name="schema.sql"]').waitFor();
    });

    it('says in a tree what the picture says', async () => {
      const { page } = workbench();
      await inConsole(page).getByRole('button', { name: 'As a tree' }).click();
      await inConsole(page).locator('summary', { hasText: 'todos' }).first().click();
      await inConsole(page).getByText('Access depends on rows of lists.', { exact: false }).first().waitFor();
      await inConsole(page).getByRole('button', { name: 'As a tree' }).click();
      await node(page, 'stream todos').waitFor();
    });

    it('forgets the stream with its text', async () => {
      const { page } = workbench();
      await showFile(page, 'sync.yaml');
      await runCommand(page, 'File: Revert File');
      await node(page, 'stream everything').waitFor({ state: 'detached' });
      await runCommand(page, 'View: Close All Editor Groups');
      await page.locator('.editor-group-container.empty').waitFor();
    });
  });

  describe('by the keyboard', () => {
    keepToKeyboard(workbench);

    /** Moves the focus to the status of the service. */
    const focusStatus = async () => {
      const { page } = workbench();
      const focused = page.locator('.part.statusbar:focus, .part.statusbar :focus');
      // An editor that opens late takes the focus.
      await insist('The status bar does not get the focus.', async () => {
        await typeCommand(page, 'Focus Status Bar');
        return comes(focused);
      });
      await tabTo(page, 'ArrowRight', /^Headwater\. local/);
    };

    const showMenu = async () => {
      await focusStatus();
      await workbench().page.keyboard.press('Enter');
    };

    it('starts from the view', async () => {
      const { page } = workbench();
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
      const { page } = workbench();
      await openByName(page, 'sync.yaml');
      await showMenu();
      await choose(page, 'Deploy Sync Config');
      await untilGreen(page);
      await focusStatus();
      const spoken = await focusedName(page);
      match(spoken, /^Headwater\. local\. .*The deployed config is the same as the file/);
      ok(!/&nbsp;|\$\(|command:|\*\*/.test(spoken), spoken);
    });

    it('offers the errors of a file that it does not deploy, and leaves the panel closed until then', async () => {
      const { page } = workbench();
      await openByName(page, 'sync.yaml');
      await toStart(page);
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
      await page
        .locator('.part.panel .composite-bar .action-item.checked', { hasText: 'Problems' })
        .waitFor();
      await page.locator('.markers-panel .monaco-list-row', { hasText: 'streems' }).waitFor();
      await takeScreenshot(page, 'keyboard-service-1-errors');
      await openByName(page, 'sync.yaml');
      await toStart(page);
      await page.keyboard.press('Control+Shift+K');
      await save(page);
      await untilGreen(page);
      await page.keyboard.press('Control+J');
    });

    it('offers what can be done with a row of the view in its menu', async () => {
      const { page } = workbench();
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
      const { page } = workbench();
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
      const { page } = workbench();
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

  describe('with its view', () => {
    it('starts again with what it had', async () => {
      const { page } = workbench();
      await runCommand(page, 'View: Close All Editor Groups');
      await openFile(page, 'sync.yaml');
      await runCommand(page, 'Headwater: Start Local Service');
      await pick(page, 'With an embedded database');
      await untilStatus(page, isHealthy);
    });

    it('shows how many buckets each stream has', async () => {
      const { page } = workbench();
      await openServiceView(page);
      await expand('Active config');
      await expand('Streams');
      await rows()
        .filter({ hasText: /lists\s*\d+ buckets?/ })
        .first()
        .waitFor();
      await takeScreenshot(page, 'service-view-1-streams');
      await rows().filter({ hasText: 'Deploy when saved' }).waitFor();
      match((await linesOf(rows())).join('\n'), /Clients\s*0/);
    });

    it('deploys a saved file once its box is checked', async () => {
      const { page } = workbench();
      const box = rows()
        .filter({ hasText: 'Deploy when saved' })
        .locator('.monaco-custom-toggle, .custom-view-tree-node-item-checkbox');
      await box.first().click();
      await editorLines(page).first().click();
      await page.keyboard.press('Control+End');
      await page.keyboard.type('\n  everything:\n    query: SELECT * FROM lists');
      await untilStatus(page, /local: not deployed/);
      await untilNews(page, /Deployed to local/, () => save(page));
      await untilStatus(page, isHealthy);
      await takeScreenshot(page, 'service-view-2-saved');
    });

    it('explains a row that is only thought of', async () => {
      const { page } = workbench();
      await runCommand(page, 'Headwater: Explain Row');
      await pick(page, 'lists');
      await answer(page, 'Explain Row: Row', '{"id": "1", "owner_id": "user-1", "name": "Groceries"}');
      await editorLines(page).filter({ hasText: 'Groceries' }).first().waitFor();
      match((await linesOf(editorLines(page))).join('\n'), /lists.*sync\.yaml:9:\d+\n.*"user-1"/);
      await takeScreenshot(page, 'service-view-6-explained');
    });

    it('restarts, and has what it had', async () => {
      const { page } = workbench();
      await runCommand(page, 'Headwater: Restart Local Service');
      await untilStatus(page, /local: (stopping|starting)/);
      await untilStatus(page, isHealthy);
    });
  });

  describe('with the console', () => {
    it('shows the answers of the service', async () => {
      const { page } = workbench();
      await runCommand(page, 'View: Close All Editor Groups');
      await openFile(page, 'sync.yaml');
      await runCommand(page, 'Headwater: Open Console');
      await node(page, 'table lists').locator('.entry-facts', { hasText: '2 rows' }).waitFor();
      await node(page, 'stream lists').locator('.entry-facts', { hasText: '2 buckets' }).waitFor();
      await takeScreenshot(page, 'console-3-service');
    });

    it('has nothing in any theme that keeps people from using it', async () => {
      const { page } = workbench();
      for (const theme of ['Light Modern', 'Dark Modern', 'Dark High Contrast', 'Light High Contrast']) {
        await chooseTheme(page, theme);
        deepEqual(await accessibilityFindings(page), [], theme);
        await takeScreenshot(page, `console-4-${theme.replaceAll(' ', '-')}`);
      }
    });

    it('opens at a table of the view', async () => {
      const { page } = workbench();
      await openServiceView(page);
      await expand('Active config');
      const row = rows().filter({ hasText: 'todos' }).last();
      await row.click({ button: 'right' });
      // The test uses keys, because a menu may be drawn again under the mouse, and then a click is lost.
      await page.keyboard.press('Escape');
      await chooseFromMenu(page, 'Open Console');
      await inConsole(page).locator('[data-id="stream todos"]').waitFor();
      await inConsole(page).locator('[data-id="stream everything"]').waitFor({ state: 'detached' });
    });

    it('opens at the user whose rows are asked for, and shows them as a text, too', async () => {
      const { page } = workbench();
      await runCommand(page, 'Headwater: Preview as User');
      await answer(page, 'Preview as User: Who', '{"sub": "ada", "role": "admin"}');
      const frame = await untilDeviceIn(page, 'ada');
      await frame.getByRole('grid', { name: 'lists on the device of ada' }).getByText('Groceries').waitFor();
      equal(await frame.getByLabel('Claim role').inputValue(), 'admin');
      await takeScreenshot(page, 'console-5-previewed');
      await frame.getByRole('button', { name: 'As text' }).click();
      await answer(page, 'Preview as User: Subscriptions', '');
      await editorLines(page).filter({ hasText: 'Rows of ada from local' }).waitFor();
      match(
        (await linesOf(editorLines(page))).join('\n'),
        /auto-subscribed, priority 3\n\s*lists: \d rows?\n\s*id +name/,
      );
      await takeScreenshot(page, 'service-view-3-preview');
    });

    it('says why a user does not have a row, and leads to the condition in the file', async () => {
      const { page } = workbench();
      await runCommand(page, 'Headwater: Explain Row');
      await pick(page, 'lists');
      await answer(page, 'Explain Row: Row', '00000000-0000-0000-0000-000000000002');
      await page.locator('.quick-input-list .monaco-list-row', { hasText: 'All users, as text' }).waitFor();
      await answer(page, 'Explain Row: Whose Device', 'ada');
      const panel = inConsole(page).getByRole('region', { name: /^Why ada does not have 0+-0+-0+-0+-0+2/ });
      await panel.locator('mark', { hasText: 'owner_id = auth.user_id()' }).first().waitFor();
      await takeScreenshot(page, 'console-6-why');
      await panel.getByRole('button', { name: 'Show in the file' }).first().click();
      await page.locator('.statusbar-item', { hasText: /Ln 9, Col \d+ \(\d+ selected\)/ }).waitFor();
      await panel.getByRole('button', { name: 'As text' }).click();
      await editorLines(page).filter({ hasText: 'A row of lists:' }).waitFor();
    });

    it('shows from a table of the view which of its rows a user does not have', async () => {
      const { page } = workbench();
      const row = rows().filter({ hasText: 'todos' }).last();
      await row.click({ button: 'right' });
      await page.keyboard.press('Escape');
      await chooseFromMenu(page, 'Explain Missing Rows');
      // The rows are those of the user whose device is shown.
      const grid = inConsole(page).getByRole('grid', {
        name: 'Rows of todos that are not on the device of ada',
      });
      await grid.waitFor();
    });

    it('is there again after a reload of the window', async () => {
      const { page } = workbench();
      await page.reload();
      await page.locator('.monaco-workbench .part.statusbar').waitFor();
      // VS Code restores the screen of its last saved state.
      await inConsole(page).locator('nav a[aria-current="page"]').waitFor();
    });

    it('stops while the console is open', async () => {
      const { page } = workbench();
      await untilStatus(page, isHealthy);
      await runCommand(page, 'Headwater: Stop Local Service');
      await untilStatus(page, /local: off/);
    });
  });

  /** Opens a row of the view. A click on one that is open would close it. */
  async function expand(name: string): Promise<void> {
    const row = rows().filter({ hasText: name }).first();
    await row.waitFor();
    if ((await row.getAttribute('aria-expanded')) !== 'true') await row.click();
  }
});

function node(page: Page, id: string) {
  return inConsole(page).locator(`[data-id="${id}"]`);
}

/** Opens the tab in the group of the file. The explorer would open the file in the group of the console. */
async function showFile(page: Page, name: string): Promise<void> {
  const tab = page.locator(`.tab[data-resource-name="${name}"]`);
  await tab.click();
  await page.locator(`.tab.active[data-resource-name="${name}"]`).waitFor();
  await editorLines(page).first().click();
}

async function namesOf(page: Page): Promise<string[]> {
  const ids = await inConsole(page)
    .locator('[data-id]')
    .evaluateAll((nodes) => nodes.map((each) => each.getAttribute('data-id') ?? ''));
  return ids.sort();
}

async function chooseTheme(page: Page, theme: string): Promise<void> {
  await runCommand(page, 'Preferences: Color Theme');
  await page.locator('.quick-input-widget input').fill(theme);
  await pick(page, theme);
  await page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
}

/** Returns the violations in the page of the frame, each with its first place. */
async function accessibilityFindings(page: Page): Promise<unknown[]> {
  const frame = await frameOf(page);
  // The policy allows only the page's own scripts, so axe cannot be added as one.
  await frame.evaluate(readFileSync(axe, 'utf8'));
  return frame.evaluate(async () => {
    const { axe: runner } = globalThis as unknown as {
      axe: { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
    };
    const { violations } = await runner.run();
    return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
  });
}

async function frameOf(page: Page): Promise<Frame> {
  for (const frame of page.frames()) if ((await frame.locator('#console').count()) > 0) return frame;
  throw new Error('There is no console.');
}
