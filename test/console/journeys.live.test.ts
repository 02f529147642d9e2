/** Events while the console is open: sessions end, and services stop and return. Also its use by keyboard alone. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../server/service/ground/clock.ts';
import { findBarriers } from '../support/console/axe.ts';
import {
  type ConsolePage,
  type ConsoleService,
  findChromium,
  openConsolePage,
  showScreen,
  startConsoleService,
} from '../support/console/console.ts';

const schema = `
CREATE TABLE lists (id text PRIMARY KEY, owner text, name text);
INSERT INTO lists VALUES ('l1', 'ada', 'one'), ('l2', 'bob', 'two');
`;
const config = `config:
  edition: 3
streams:
  lists:
    auto_subscribe: true
    query: SELECT * FROM lists WHERE owner = auth.user_id()
`;

const chromium = await findChromium();
const hours = 3_600_000;

describe.skipIf(chromium === undefined)('An open console', () => {
  let service: ConsoleService;
  let open: ConsolePage;
  let ahead = 0;

  beforeAll(async () => {
    const clock = { ...systemClock, now: () => systemClock.now() + ahead };
    service = await startConsoleService({ schema, config, clock });
    open = await openConsolePage(chromium ?? '', service);
  });
  afterAll(async () => {
    await open?.close();
    await service?.stop();
  });

  const told = (text: string | RegExp) => open.page.getByText(text).first().waitFor();
  const focused = (page: Page): Promise<string> =>
    page.evaluate(() => {
      const element = document.activeElement as HTMLElement | null;
      return element?.getAttribute('aria-label') ?? element?.textContent?.trim() ?? '';
    });

  /** Presses Tab until the element with this name has the focus. */
  async function tabTo(name: string | RegExp): Promise<void> {
    const seen: string[] = [];
    for (let keys = 0; keys < 60; keys += 1) {
      await open.page.keyboard.press('Tab');
      const text = await focused(open.page);
      if (typeof name === 'string' ? text === name : name.test(text)) return;
      seen.push(text);
    }
    throw new Error(`${name} is not reached by Tab: ${seen.join(' | ')}`);
  }

  test('can be used by keyboard alone: map', async () => {
    const { page } = open;
    await showScreen(page, 'map');
    await page.locator('[data-id="stream lists"]').waitFor();
    await page.locator('body').press('/');
    await page.keyboard.type('lists');
    await tabTo('As a tree');
    await page.keyboard.press('Enter');
    await tabTo(/^lists/);
    await page.keyboard.press('Enter');
    await told(/Show in the sync config/);
    await page.keyboard.press('Escape');
  });

  test('can be used by keyboard alone: devices, up to the reason for a missing row', async () => {
    const { page } = open;
    await showScreen(page, 'devices');
    await page.locator('.skip').focus();
    await page.keyboard.press('Enter');
    await tabTo('Any other user');
    await page.keyboard.press('Enter');
    await page
      .locator('input:focus')
      .and(page.getByLabel('Id', { exact: true }))
      .waitFor();
    await page.keyboard.type('ada');
    await page.locator('[data-device="live"]').waitFor();
    await tabTo('In the source, not here');
    await page.keyboard.press('Enter');
    await page.getByRole('grid', { name: /not on the device of ada/ }).waitFor();
    await tabTo(/^(Why\?|id)$/);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: 'Why ada does not have l2' }).locator('mark').first().waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('region', { name: /^Why ada/ }).waitFor({ state: 'detached' });
  });

  test('can be used by keyboard alone: data, up to a changed cell', async () => {
    const { page } = open;
    await showScreen(page, 'data');
    await page.getByRole('grid').getByText('one').waitFor();
    await page.locator('.skip').focus();
    await page.keyboard.press('Enter');
    await tabTo('l1');
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await page.getByLabel('name of lists').fill('by keys');
    await page.keyboard.press('Enter');
    await page.getByText(/Stored at operation \d+/).waitFor();
    expect(await service.sql(`SELECT name FROM lists WHERE id = 'l1'`)).toEqual([{ name: 'by keys' }]);
  });

  test('can be used by keyboard alone: service, to a comparison and back', async () => {
    const { page } = open;
    await service.deploy(config.replace('SELECT * FROM', 'SELECT id, name FROM'));
    await showScreen(page, 'service');
    await page.locator('.event', { hasText: 'changed stream lists' }).first().waitFor();
    await page.locator('.skip').focus();
    await page.keyboard.press('Enter');
    await tabTo(/^Compare\. /);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect.poll(() => focused(page)).toMatch(/^Compare\. /);
  });

  test('can be used by keyboard alone: slow and large, up to a sorted list', async () => {
    const { page } = open;
    await showScreen(page, 'slow-and-large');
    await page.getByRole('columnheader', { name: 'Operations' }).waitFor();
    await page.locator('.skip').focus();
    await page.keyboard.press('Enter');
    await tabTo('Operations');
    await page.keyboard.press('Enter');
    await page.locator('th[aria-sort="descending"]', { hasText: 'Operations' }).waitFor();
    await tabTo('Compact now');
    await page.keyboard.press('Enter');
    await told('The histories of all buckets were compacted.');
  });

  test('repeats failed requests when the service answers again', async () => {
    const { page } = open;
    await showScreen(page, 'service');
    const cut = '**/api/admin/v1/**';
    await page.route(cut, (route) => route.abort());
    // The route does not interrupt the stream that is already open, so reload the page.
    await page.reload();
    await told(/Last known/);
    await showScreen(page, 'data');
    await told('Cannot read the rows of the database');
    await page.unroute(cut);
    await page.getByRole('grid').getByText('two').waitFor();
    await page.getByRole('button', { name: 'New row' }).waitFor();
    await page.locator('[data-link="connected"]').waitFor();
  });

  test('shows that it is waiting for slow answers, without an error', async () => {
    const { page } = open;
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/api/admin/v1/{limits,largest,execute-sql,map}', async (route) => {
      await released;
      await route.continue();
    });
    await showScreen(page, 'slow-and-large');
    await told('Measuring …');
    await showScreen(page, 'data');
    await told('Reading the tables …');
    await showScreen(page, 'map');
    await told('Loading …');
    release();
    await page.locator('[data-id="stream lists"]').waitFor();
    await page.unroute('**/api/admin/v1/{limits,largest,execute-sql,map}');
  });

  test('asks for a new link when its session ends', async () => {
    const { page } = open;
    await showScreen(page, 'service');
    ahead += 13 * hours;
    await told(/Your session has ended.*open the link that it prints/);
    await page
      .getByRole('region', { name: 'State of the service' })
      .getByText('The service denies the console access')
      .waitFor();
    await page.goto(await service.link());
    await page.locator('[data-link="connected"]').waitFor();
  });

  test('shows since when the service is gone, and reads each screen again when the service is back', async () => {
    const { page } = open;
    await showScreen(page, 'data');
    await page.getByRole('grid').getByText('two').waitFor();
    await service.halt();
    await told(/Last known .* at \d\d:\d\d:\d\d/);
    await showScreen(page, 'service');
    const state = page.getByRole('region', { name: 'State of the service' });
    await state.getByText(/has not answered since/).waitFor();
    expect(await findBarriers(page)).toEqual([]);
    // A screen that is opened in the meantime cannot read its rows.
    await showScreen(page, 'slow-and-large');
    await told('The service does not answer.');
    await showScreen(page, 'data');
    await told('Cannot read the rows of the database');
    await service.resume();
    // A session ends when the service stops.
    await told(/Your session has ended.*open the link that it prints/);
    await page.goto(await service.link());
    await page.locator('[data-link="connected"]').waitFor();
    await showScreen(page, 'data');
    await page.getByRole('grid').getByText('two').waitFor();
    await page.getByRole('button', { name: 'New row' }).waitFor();
  });

  test('lists each deployed config once, newest first, and deploys one again after a restart of the service', async () => {
    const { page } = open;
    await showScreen(page, 'service');
    const list = page.getByRole('region', { name: 'Deployed configs' });
    await list.locator('.config.active', { hasText: /active · / }).waitFor();
    // The service has started again in the test above, so it has no events of the deploys.
    expect(await page.locator('.event', { hasText: 'Deployment' }).count()).toBe(0);
    const names = await list.locator('.config-name').allInnerTexts();
    const numbers = names.map((name) => Number(/^config (\d+)$/.exec(name)?.[1]));
    expect(numbers).toEqual([...new Set(numbers)].toSorted((one, next) => next - one));
    expect(await list.getByRole('button', { name: `Go back. ${names[0]}` }).count()).toBe(0);
    const before = list.locator('.config').nth(1);
    const dialog = page.getByRole('dialog');
    await before.getByRole('button', { name: /^Show/ }).click();
    await dialog.getByText('SELECT * FROM lists').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await before.getByRole('button', { name: /^Go back/ }).click();
    await dialog.getByRole('button', { name: 'Go back' }).click();
    await expect.poll(() => list.locator('.config.active .config-name').textContent()).not.toBe(names[0]);
    await list
      .locator('.config')
      .first()
      .getByText(/^active · /)
      .waitFor();
    expect(await list.locator('.config').count()).toBe(names.length + 1);
  });
});
