/** Choosing a user in the devices screen by keyboard, from the users of a real database. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openApp } from '../support/clients/sdk.ts';
import { findBarriers } from '../support/console/axe.ts';
import {
  type ConsolePage,
  type ConsoleService,
  clientSecret,
  findChromium,
  openConsolePage,
  startConsoleService,
} from '../support/console/console.ts';
import { signToken } from '../support/console/tokens.ts';

const idOf = (n: number): string => `00000000-0000-0000-0000-${String(n).padStart(12, '0')}`;

const schema = `
CREATE TABLE people (id uuid PRIMARY KEY, full_name text, email text, password text);
CREATE TABLE lists (id text PRIMARY KEY, owner_id uuid REFERENCES people (id), name text);
INSERT INTO people SELECT ('00000000-0000-0000-0000-' || lpad(n::text, 12, '0'))::uuid, 'Person ' || n, 'p' || n || '@example.com', 'hash'
  FROM generate_series(1, 300) AS n;
UPDATE people SET full_name = 'Ada Lovelace', email = 'ada@example.com' WHERE email = 'p250@example.com';
INSERT INTO lists VALUES ('l1', '${idOf(250)}', 'Engines'), ('l2', '${idOf(3)}', 'Groceries');
`;

const config = `config:
  edition: 3
streams:
  lists:
    auto_subscribe: true
    query: SELECT * FROM lists WHERE owner_id = auth.user_id() OR (auth.parameter('role') = 'admin' AND id = 'l2')
`;

const chromium = await findChromium();

describe.skipIf(chromium === undefined)('The field for a user', () => {
  let service: ConsoleService;
  let open: ConsolePage;

  beforeAll(async () => {
    service = await startConsoleService({ schema, config });
    open = await openConsolePage(chromium ?? '', service, 'devices');
  });
  afterAll(async () => {
    await open?.close();
    await service?.stop();
  });

  const field = () => open.page.getByRole('combobox', { name: 'Id' });
  const options = () => open.page.getByRole('listbox', { name: 'Users' }).getByRole('option');
  const grid = () => open.page.getByRole('grid', { name: /lists on the device/ });

  test('lists users by name, connected users first, and finds others while the user types', async () => {
    const { page } = open;
    await openApp({ port: service.port, token: signToken(idOf(3), clientSecret) });
    await page.getByRole('option', { name: new RegExp(idOf(3)) }).waitFor();
    await page.getByRole('button', { name: 'Any other user' }).press('Enter');
    await expect.poll(() => options().allTextContents()).toHaveLength(100);
    const [first, second] = await options().allTextContents();
    expect(first).toBe(`Person 3connectedp3@example.com · ${idOf(3)}`);
    expect(second).toBe(`Person 1p1@example.com · ${idOf(1)}`);
    await page.getByText('From the table people').waitFor();
    expect(await findBarriers(page)).toEqual([]);

    // Ada is not among the first hundred, so the service is asked for her.
    await page.keyboard.type('love');
    await expect
      .poll(() => options().allTextContents())
      .toEqual([`Ada Lovelaceada@example.com · ${idOf(250)}`]);
    // The text is not taken as an id, because it is a part of a name.
    await page.getByText('Which user?').waitFor();
    expect(await field().getAttribute('aria-activedescendant')).toBe(await options().getAttribute('id'));
    expect(await findBarriers(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await options().waitFor({ state: 'detached' });
    expect(await field().inputValue()).toBe(idOf(250));
    await page.getByText('Ada Lovelace · ada@example.com').waitFor();
    await grid().getByText('Engines').waitFor();
  });

  test('offers all users again, of whom the arrow keys choose one and Escape none', async () => {
    const { page } = open;
    await page.getByText('No app is connected now.').waitFor();
    await field().press('ArrowDown');
    await expect.poll(() => options().count()).toBe(100);
    await page.keyboard.press('Escape');
    await options().first().waitFor({ state: 'detached' });
    expect(await field().inputValue()).toBe(idOf(250));
    const keys = ['ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowUp', 'Enter'];
    for (const key of keys) await page.keyboard.press(key);
    await grid().getByText('Groceries').waitFor();
    expect(await field().inputValue()).toBe(idOf(3));
  });

  test('takes any other id, and the claims that the config reads', async () => {
    const { page } = open;
    await field().fill('guest');
    await page.getByText('No rows on this device').waitFor();
    await page.getByLabel('Claim role').fill('admin');
    await grid().getByText('Groceries').waitFor();
    // A text that is part of a name is taken as an id when the field is left.
    await field().fill('Person 3');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Tab');
    expect(await field().inputValue()).toBe('Person 3');
    await page.getByRole('grid', { name: /lists on the device of Person 3/ }).waitFor();
  });
});
