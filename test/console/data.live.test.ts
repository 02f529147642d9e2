/** The data screen in Chromium. It changes rows of the local database, which arrive in an app with the real SDK. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openApp } from '../support/clients/sdk.ts';
import { findBarriers } from '../support/console/axe.ts';
import {
  type ConsolePage,
  type ConsoleService,
  clientSecret,
  findChromium,
  openConsolePage,
  showScreen,
  startConsoleService,
} from '../support/console/console.ts';
import { signToken } from '../support/console/tokens.ts';

const schema = `
CREATE TABLE lists (id text PRIMARY KEY, owner text, name text);
CREATE TABLE numbers (n int PRIMARY KEY, text text);
INSERT INTO lists VALUES ('l1', 'ada', 'one'), ('l2', 'bob', '<b>two</b>');
INSERT INTO numbers SELECT n, 'number ' || n FROM generate_series(1, 20000) AS n;
`;

const config = `config:
  edition: 3
streams:
  lists:
    auto_subscribe: true
    query: SELECT * FROM lists WHERE owner = auth.user_id()
`;

const chromium = await findChromium();

describe.skipIf(chromium === undefined)('The data screen', () => {
  let service: ConsoleService;
  let open: ConsolePage;

  beforeAll(async () => {
    service = await startConsoleService({ schema, config });
    open = await openConsolePage(chromium ?? '', service, 'data');
  });
  afterAll(async () => {
    await open?.close();
    await service?.stop();
  });

  const grid = () => open.page.getByRole('grid');
  const cell = (text: string) => grid().getByRole('gridcell', { name: text, exact: true });
  const choose = async (table: string): Promise<void> => {
    await open.page.getByRole('button', { name: table, exact: true }).click();
    await open.page.getByRole('grid', { name: `Rows of ${table}` }).waitFor();
  };

  test('changes a cell, and shows the path of the change to the app', async () => {
    const { page } = open;
    const app = await openApp({ port: service.port, token: signToken('ada', clientSecret) });
    await app.database.waitForFirstSync();
    await app.until('SELECT name FROM lists', [{ name: 'one' }]);
    await choose('lists');
    await page.getByText('Enter changes a cell').waitFor();
    await cell('one').focus();
    await page.keyboard.press('Enter');
    await page.getByLabel('name of lists').fill(`it's new`);
    await page.keyboard.press('Enter');
    await app.until('SELECT name FROM lists', [{ name: `it's new` }]);
    await page.getByText(/Stored at operation \d+ after \d+ ms/).waitFor();
    await page.getByText(/On 1 device after \d+ ms: ada/).waitFor();
    await cell(`it's new`).waitFor();
    expect(await service.sql("SELECT name FROM lists WHERE id = 'l1'")).toEqual([{ name: `it's new` }]);
  });

  test('adds a row and removes it again', async () => {
    const { page } = open;
    await choose('lists');
    await page.getByRole('button', { name: 'New row' }).click();
    await page.getByLabel('id', { exact: true }).fill('l3');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await cell('l3').waitFor();
    expect(await service.sql("SELECT owner FROM lists WHERE id = 'l3'")).toEqual([{ owner: null }]);
    page.once('dialog', (dialog) => void dialog.accept());
    await cell('l3').focus();
    await page.keyboard.press('Delete');
    await cell('l3').waitFor({ state: 'detached' });
    expect(await service.sql("SELECT 1 FROM lists WHERE id = 'l3'")).toEqual([]);
  });

  test('shows why the database refuses a change, and changes nothing', async () => {
    const { page } = open;
    await choose('lists');
    await cell('l2').focus();
    await page.keyboard.press('Enter');
    await page.getByLabel('id of lists').fill('l1');
    await page.keyboard.press('Enter');
    await page.getByText(/duplicate key/).waitFor();
    await page.keyboard.press('Escape');
    expect(await service.sql('SELECT count(*)::int AS n FROM lists')).toEqual([{ n: 2 }]);
  });

  test('reads only the visible part of a large table, and can sort and search it', async () => {
    const { page } = open;
    await choose('numbers');
    await expect.poll(() => grid().getAttribute('aria-rowcount')).toBe('20001');
    await cell('number 1').focus();
    await page.keyboard.press('Control+End');
    await cell('number 20000').waitFor();
    expect(await page.locator('.grid-row').count()).toBeLessThan(80);
    await grid().getByRole('columnheader', { name: 'n', exact: true }).click();
    await grid().getByRole('columnheader', { name: 'n', exact: true }).click();
    await page.keyboard.press('Home');
    await page.getByLabel('Find in numbers').fill('number 1999');
    await expect.poll(() => grid().getAttribute('aria-rowcount')).toBe('12');
    await cell('number 19999').waitFor();
  });

  test('completes and runs only SQL that reads', async () => {
    const { page } = open;
    await page.getByRole('button', { name: 'SQL', exact: true }).click();
    const box = page.getByLabel('Read-only statement');
    await box.click();
    await page.keyboard.type('SELECT na');
    await box.fill('SELECT  FROM lists ORDER BY id');
    await box.evaluate((area: HTMLTextAreaElement) => area.setSelectionRange(7, 7));
    await page.keyboard.type('na');
    await page.getByRole('option', { name: /^name/ }).waitFor();
    await page.keyboard.press('Enter');
    await expect.poll(() => box.inputValue()).toBe('SELECT name FROM lists ORDER BY id');
    await page.keyboard.press('Control+Enter');
    await cell('<b>two</b>').waitFor();
    await box.fill('DELETE FROM lists');
    await page.keyboard.press('Control+Enter');
    await page.getByText('The database refused the statement.').waitFor();
    expect(await service.sql('SELECT count(*)::int AS n FROM lists')).toEqual([{ n: 2 }]);
    expect(open.complaints).toEqual([]);
  });

  test('has no accessibility barriers in any theme', async () => {
    const { page } = open;
    expect(await findBarriers(page)).toEqual([]);
    await choose('lists');
    await page.getByRole('button', { name: 'New row' }).click();
    expect(await findBarriers(page)).toEqual([]);
  });

  test('lists all tables, even if they have more columns than a statement returns rows', async () => {
    const { page } = open;
    const tables = Array.from(
      { length: 210 },
      (_, n) => `CREATE TABLE more_${n} (id text PRIMARY KEY, a text, b text, c text, d text);`,
    );
    await service.sql(`${tables.join('\n')}\nCREATE TABLE aaa (id text PRIMARY KEY);`);
    await showScreen(page, 'map');
    await showScreen(page, 'data');
    await page.getByText('213 tables').waitFor();
    // Tables that the config does not read follow those that it reads.
    expect(await page.locator('.table-name').first().textContent()).not.toBe('aaa');
    await choose('more_209');
  });
});
