/** The devices screen in Chromium, with a real service, its database, and apps with the real SDK. */
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
import { failuresIn } from '../support/engine/accessTests.ts';

const schema = `
CREATE TABLE lists (id text PRIMARY KEY, owner text, name text);
CREATE TABLE todos (id text PRIMARY KEY, list text, title text, done boolean NOT NULL DEFAULT false);
INSERT INTO lists VALUES ('l1', 'ada', '<img src=x onerror="window.hacked=1">'), ('l2', 'bob', 'two'), ('l3', 'ada', 'three');
INSERT INTO todos SELECT 't' || n, 'l1', 'Todo ' || n FROM generate_series(1, 60) AS n;
INSERT INTO todos VALUES ('done', 'l1', 'Done', true), ('other', 'l2', 'Other', false), ('unasked', 'l3', 'Unasked', false);
`;

const config = `config:
  edition: 3
streams:
  lists:
    auto_subscribe: true
    query: SELECT * FROM lists WHERE owner = auth.user_id()
  todos:
    query: |
      SELECT * FROM todos
      WHERE list IN (SELECT id FROM lists WHERE owner = auth.user_id())
        AND list = subscription.parameter('list') AND done = false
`;

const chromium = await findChromium();

describe.skipIf(chromium === undefined)('The devices screen', () => {
  let service: ConsoleService;
  let open: ConsolePage;

  beforeAll(async () => {
    service = await startConsoleService({ schema, config });
    open = await openConsolePage(chromium ?? '', service, 'devices');
    await open.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  });
  afterAll(async () => {
    await open?.close();
    await service?.stop();
  });

  /** Shows the device of any user, with a subscription to the todos of a list. */
  async function lookAt(user: string, list?: string): Promise<void> {
    const { page } = open;
    await page.getByRole('button', { name: 'Any other user' }).click();
    await page.getByLabel('Id', { exact: true }).fill(user);
    if (list !== undefined) {
      await page.getByRole('checkbox', { name: 'todos' }).check();
      await page.getByLabel('list', { exact: true }).fill(list);
    }
    await page.locator('[data-device="live"]').waitFor();
    await page.getByRole('button', { name: 'On this device' }).click();
  }

  const gridOf = (name: string | RegExp) => open.page.getByRole('grid', { name });

  test('can be used by keyboard to enter the id of any other user', async () => {
    const { page } = open;
    await page.getByRole('button', { name: 'Any other user' }).press('Enter');
    await page
      .locator('input:focus')
      .and(page.getByLabel('Id', { exact: true }))
      .waitFor();
  });

  test('shows the connected clients, and the device of a client with its subscriptions', async () => {
    const { page } = open;
    const app = await openApp({ port: service.port, token: signToken('ada', clientSecret) });
    const subscription = await app.database.syncStream('todos', { list: 'l1' }).subscribe();
    await subscription.waitForFirstSync();
    await page
      .getByRole('listbox', { name: 'Connected clients' })
      .getByRole('option', { name: /ada/ })
      .click();
    await page.locator('[data-device="live"]').waitFor();
    expect(await page.getByLabel('Id', { exact: true }).inputValue()).toBe('ada');
    await expect.poll(() => page.getByRole('checkbox', { name: 'todos' }).isChecked()).toBe(true);
    expect(await page.getByLabel('list', { exact: true }).inputValue()).toBe('l1');
    await page.getByRole('tab', { name: /todos 60/ }).click();
    expect(await gridOf(/todos on the device of ada/).getAttribute('aria-rowcount')).toBe('61');
    // The SDK has as many rows as the page shows.
    const [{ n } = { n: 0 }] = (await app.rows('SELECT count(*) AS n FROM todos')) as { n: number }[];
    expect(n).toBe(60);

    const committed = await page.evaluate(() => performance.now());
    await service.sql("INSERT INTO todos VALUES ('new', 'l1', 'Fresh')");
    await gridOf(/todos/).getByText('Fresh').waitFor();
    const seen = await page.evaluate(() => performance.now());
    console.log(`From before the commit to the pixel: ${Math.round(seen - committed)} ms`);
    expect(await page.locator('.grid-row.came').count()).toBeLessThanOrEqual(1);
    await service.sql("DELETE FROM todos WHERE id = 'new'");
    await gridOf(/todos/).getByText('Fresh').waitFor({ state: 'detached' });
    await subscription.unsubscribe();
  });

  test('shows the rows of any other user with other parameters at once', async () => {
    const { page } = open;
    await lookAt('bob', 'l2');
    await page.getByRole('tab', { name: /todos 1/ }).click();
    await gridOf(/todos on the device of bob/)
      .getByText('Other', { exact: true })
      .waitFor();
    await page.getByLabel('Id', { exact: true }).fill('nobody');
    await page.getByText('No rows on this device').waitFor();
  });

  test('explains why a row is absent, with the clause that excludes it', async () => {
    const { page } = open;
    await lookAt('ada', 'l1');
    await page.getByRole('tab', { name: /todos 60/ }).waitFor();
    await page.getByRole('button', { name: 'In the source, not here' }).click();
    await page.getByLabel('Table').selectOption('todos');
    const why = async (id: string): Promise<string> => {
      await page.getByLabel('Find in todos').fill(id);
      const grid = gridOf(/todos that are not on the device of ada/);
      await grid.getByRole('gridcell', { name: id, exact: true }).waitFor();
      await expect.poll(() => grid.getAttribute('aria-rowcount')).toBe('2');
      await grid.getByRole('button', { name: 'Why?' }).click();
      const panel = page.getByRole('region', { name: new RegExp(`does not have ${id}`) });
      await panel.waitFor();
      const marks = await panel.locator('mark').allTextContents();
      const sentence = await panel.locator('.reason p').first().textContent();
      return `${sentence} ${marks.map((mark) => `‹${mark}›`).join(' ')}`;
    };
    expect(await why('done')).toMatch(/done is 1\. ‹done = false›$/);
    expect(await why('unasked')).toMatch(/list is 'l3'.* ‹list = subscription\.parameter\('list'\)›$/);
    expect(await why('other')).toMatch(/list is 'l2'.*‹list IN \(SELECT/);
    await page.getByRole('button', { name: 'On this device' }).click();
  });

  test('links from the reason to the row, and to the table that the condition looks up', async () => {
    const { page } = open;
    const showWhy = async () => {
      await page.getByRole('link', { name: 'Devices' }).click();
      await lookAt('ada', 'l1');
      await page.getByRole('tab', { name: /todos 60/ }).waitFor();
      await page.getByRole('button', { name: 'In the source, not here' }).click();
      await page.getByLabel('Table').selectOption('todos');
      await page.getByLabel('Find in todos').fill('other');
      const grid = gridOf(/todos that are not on the device of ada/);
      const row = grid
        .getByRole('row')
        .filter({ has: page.getByRole('gridcell', { name: 'other', exact: true }) });
      await row.getByRole('button', { name: 'Why?' }).click();
    };
    await showWhy();
    await page.getByRole('link', { name: 'Show the row' }).press('Enter');
    await page
      .getByRole('grid', { name: /todos/ })
      .getByRole('gridcell', { name: 'other', exact: true })
      .waitFor();
    expect(await page.getByLabel('Find in todos').inputValue()).toBe('other');
    await showWhy();
    await page.getByRole('link', { name: 'Show lists' }).press('Enter');
    await page.getByLabel('Find in lists').waitFor();
    await page.getByRole('link', { name: 'Devices' }).click();
  });

  test('shows no rows of the former user while the device of a client is opening', async () => {
    const { page } = open;
    const app = await openApp({ port: service.port, token: signToken('bob', clientSecret) });
    await app.until('SELECT count(*) AS n FROM lists', [{ n: 1 }]);
    await lookAt('ada', 'l1');
    await page.getByRole('tab', { name: /todos 60/ }).waitFor();
    let answer = () => {};
    const isAsked = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/api/admin/v1/streams', async (route) => {
      await isAsked;
      await route.continue();
    });
    await page
      .getByRole('listbox', { name: 'Connected clients' })
      .getByRole('option', { name: /bob/ })
      .click();
    await page.getByText('Opening the device …').waitFor();
    expect(await page.locator('[data-device]').count()).toBe(0);
    answer();
    await page.locator('[data-device="live"]').waitFor();
    expect(await page.getByLabel('Id', { exact: true }).inputValue()).toBe('bob');
    await page.unroute('**/api/admin/v1/streams');
  });

  test('subscribes to the bucket of a missing row', async () => {
    const { page } = open;
    await lookAt('ada', 'l1');
    await page.getByRole('tab', { name: /todos 60/ }).waitFor();
    await page.getByRole('button', { name: 'In the source, not here' }).click();
    await page.getByLabel('Table').selectOption('todos');
    await page.getByLabel('Find in todos').fill('unasked');
    const grid = gridOf(/todos that are not on the device of ada/);
    await grid.getByRole('gridcell', { name: 'unasked', exact: true }).waitFor();
    await grid.getByRole('button', { name: 'Why?' }).click();
    await page.getByRole('button', { name: "Subscribe to todos with list 'l3'" }).click();
    await page.getByRole('tab', { name: /todos 61/, selected: true }).waitFor();
    await page.getByLabel('Find in todos').fill('unasked');
    await gridOf(/todos on the device of ada/)
      .getByRole('gridcell', { name: 'unasked', exact: true })
      .waitFor();
  });

  test('copies its rows for other programs, and as an access test that passes', async () => {
    const { page } = open;
    await lookAt('ada', 'l1');
    await page.getByRole('tab', { name: /lists 2/ }).click();
    const copy = async (as: string): Promise<string> => {
      await page.getByLabel('Copy as').selectOption(as);
      await page
        .getByText(/copied as/)
        .last()
        .waitFor();
      const text = await page.evaluate(() => navigator.clipboard.readText());
      await page.getByRole('button', { name: 'Close' }).last().click();
      return text;
    };
    expect(JSON.parse(await copy('JSON'))).toMatchObject({ lists: [{ id: 'l1' }, { id: 'l3' }] });
    expect(await copy('CSV')).toMatch(/^id,owner,name\r\nl1,ada,/);
    expect(await copy('SQL')).toMatch(/^INSERT INTO "lists" \("id", "owner", "name"\) VALUES \('l1', 'ada',/);
    const written = await copy('test');
    expect(Object.values(failuresIn(written, config))).toEqual([[]]);
    const [failures] = Object.values(failuresIn(written, config.replace('done = false', 'done = true')));
    expect(failures?.length).toBeGreaterThan(0);
  });

  test('shows HTML in values and names as text', async () => {
    const { page } = open;
    await lookAt('ada');
    await page.getByRole('tab', { name: /lists/ }).click();
    await gridOf(/lists/).getByText('<img src=x onerror="window.hacked=1">').waitFor();
    await page.getByLabel('Id', { exact: true }).fill('<b>eve</b>');
    await page.getByRole('region', { name: 'The device of <b>eve</b>' }).waitFor();
    expect(await page.evaluate(() => 'hacked' in window)).toBe(false);
    expect(open.complaints).toEqual([]);
  });

  test('can move through a grid by keyboard alone', async () => {
    const { page } = open;
    await lookAt('ada', 'l1');
    await page.getByRole('tab', { name: /todos 60/ }).click();
    const grid = gridOf(/todos on the device/);
    await grid.locator('[role="gridcell"]').first().focus();
    const place = (): Promise<string> =>
      page.evaluate(() => {
        const cell = document.activeElement;
        return `${cell?.closest('[role="row"]')?.getAttribute('aria-rowindex')},${cell?.getAttribute('aria-colindex')}`;
      });
    for (const [key, expected] of [
      ['ArrowDown', '3,1'],
      ['ArrowRight', '3,2'],
      ['End', '3,4'],
      ['Control+End', '61,4'],
      ['Home', '61,1'],
      ['Control+Home', '2,1'],
      ['ArrowUp', '1,1'],
    ] as const) {
      await page.keyboard.press(key);
      await expect.poll(place, { message: key }).toBe(expected);
    }
    expect(await grid.locator('[tabindex="0"]').count()).toBe(1);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.locator('.detail pre').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('.detail pre').waitFor({ state: 'detached' });
  });

  test('has no accessibility barriers in any theme', async () => {
    const { page } = open;
    await lookAt('ada', 'l1');
    await page.getByRole('tab', { name: /todos/ }).click();
    expect(await findBarriers(page)).toEqual([]);
    await page.getByRole('button', { name: 'In the source, not here' }).click();
    await page.getByLabel('Table').selectOption('todos');
    await page.locator('.why').first().click();
    await page.locator('.why-panel mark').first().waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await page.getByRole('button', { name: 'On this device' }).click();
  });
});
