import { deepEqual, equal } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Frame, Page } from 'playwright-core';
import { root } from '../../scripts/root.ts';
import { inConsole, untilDeviceIn } from '../support/editor/consoleFrame.ts';
import { chooseFromMenu } from '../support/editor/keyboard.ts';
import { startAndDeploy } from '../support/editor/localService.ts';
import {
  answer,
  editorLines,
  keepFailures,
  openFile,
  openServiceView,
  openWorkbench,
  pick,
  runCommand,
  serviceRows,
  takeScreenshot,
  type Workbench,
} from '../support/editor/workbench.ts';

const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** One session: each step starts where the one before has ended. */
describe('The console', () => {
  let workbench: Workbench;

  before(async () => {
    // The editor must not complete or close what the test types.
    const settings = { '[yaml]': { 'editor.autoIndent': 'none', 'editor.quickSuggestions': false } };
    workbench = await openWorkbench(join(root, 'examples/todo'), { settings });
  });

  keepFailures('console', () => workbench);

  after(() => workbench?.close());

  it('opens beside the file with its map, without any service', async () => {
    const { page } = workbench;
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
    const { page } = workbench;
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
    const { page } = workbench;
    await node(page, 'table todos').focus();
    await page.keyboard.press('ArrowRight');
    await inConsole(page).locator('[data-id="stream todos"]:focus').waitFor();
    await page.keyboard.press('Enter');
    await page.locator('.statusbar-item', { hasText: /Ln 11, Col 3/ }).waitFor();
  });

  it('leads from a table to the script that makes it', async () => {
    const { page } = workbench;
    await node(page, 'table lists').click();
    await page.locator('.tab.active[data-resource-name="schema.sql"]').waitFor();
  });

  it('says in a tree what the picture says', async () => {
    const { page } = workbench;
    await inConsole(page).getByRole('button', { name: 'As a tree' }).click();
    await inConsole(page).locator('summary', { hasText: 'todos' }).first().click();
    await inConsole(page).getByText('Access depends on rows of lists.', { exact: false }).first().waitFor();
    await inConsole(page).getByRole('button', { name: 'As a tree' }).click();
    await node(page, 'stream todos').waitFor();
  });

  it('shows the answers of the service and the changes that are not deployed yet', async () => {
    const { page } = workbench;
    await showFile(page, 'sync.yaml');
    await startAndDeploy(page, 'With an embedded database');
    await node(page, 'table lists').locator('.entry-facts', { hasText: '2 rows' }).waitFor();
    await node(page, 'stream lists').locator('.entry-facts', { hasText: '2 buckets' }).waitFor();
    await takeScreenshot(page, 'console-3-service');
  });

  it('has nothing in any theme that keeps people from using it', async () => {
    const { page } = workbench;
    for (const theme of ['Light Modern', 'Dark Modern', 'Dark High Contrast', 'Light High Contrast']) {
      await chooseTheme(page, theme);
      deepEqual(await accessibilityFindings(page), [], theme);
      await takeScreenshot(page, `console-4-${theme.replaceAll(' ', '-')}`);
    }
  });

  it('opens at a table of the view', async () => {
    const { page } = workbench;
    await openServiceView(page);
    const active = serviceRows(page).filter({ hasText: 'Active config' }).first();
    // A click on one that is open would close it.
    if ((await active.getAttribute('aria-expanded')) !== 'true') await active.click();
    const row = serviceRows(page).filter({ hasText: 'todos' }).last();
    await row.click({ button: 'right' });
    // The test uses keys, because a menu may be drawn again under the mouse, and then a click is lost.
    await page.keyboard.press('Escape');
    await chooseFromMenu(page, 'Open Console');
    await inConsole(page).locator('[data-id="stream todos"]').waitFor();
    await inConsole(page).locator('[data-id="stream everything"]').waitFor({ state: 'detached' });
  });

  it('opens at the user whose rows are asked for, and shows them as a text, too', async () => {
    const { page } = workbench;
    await runCommand(page, 'Headwater: Preview as User');
    await answer(page, 'Preview as User: Who', '{"sub": "ada", "role": "admin"}');
    const frame = await untilDeviceIn(page, 'ada');
    await frame.getByRole('grid', { name: 'lists on the device of ada' }).getByText('Groceries').waitFor();
    equal(await frame.getByLabel('Claim role').inputValue(), 'admin');
    await takeScreenshot(page, 'console-5-previewed');
    await frame.getByRole('button', { name: 'As text' }).click();
    await answer(page, 'Preview as User: Subscriptions', '');
    await editorLines(page).filter({ hasText: 'Rows of ada from local' }).waitFor();
  });

  it('says why a user does not have a row, and leads to the condition in the file', async () => {
    const { page } = workbench;
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
    const { page } = workbench;
    const row = serviceRows(page).filter({ hasText: 'todos' }).last();
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
    const { page } = workbench;
    await page.reload();
    await page.locator('.monaco-workbench .part.statusbar').waitFor();
    // VS Code restores the screen of its last saved state.
    await inConsole(page).locator('nav a[aria-current="page"]').waitFor();
  });
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
