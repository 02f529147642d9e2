/** Unusual projects and clients: names with HTML or of great length, no tables, no key, a thousand devices, wrong clocks. */
import { Agent, request } from 'node:http';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
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
import { serviceSettings } from '../support/service/serviceSettings.ts';

const chromium = await findChromium();
const screens = ['map', 'devices', 'data', 'service', 'slow-and-large'];

const html = '<img src=x onerror="window.hacked=1">';
const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
/** A name of the maximum length in PostgreSQL. */
const long = 'w'.repeat(63);
/** A user id of about the maximum length in a token. */
const longUser = `${html}${'u'.repeat(2_000)}`;

const schema = `
CREATE SCHEMA ${quoted(`${html}s`)};
CREATE TABLE ${quoted(html)} (id text PRIMARY KEY, owner text, ${quoted(`${html}c`)} text);
CREATE TABLE ${quoted(`${html}s`)}.${quoted(html)} (id text PRIMARY KEY);
CREATE TABLE ${quoted(long)} (id text PRIMARY KEY, ${quoted(long)} text);
CREATE TABLE keyless (note text);
CREATE TABLE big (id text PRIMARY KEY, body text);
INSERT INTO ${quoted(html)} SELECT $$${html}$$ || n, $$${longUser}$$, $$${html}$$ FROM generate_series(1, 3) AS n;
INSERT INTO ${quoted(long)} VALUES ('1', $$${html}${'v'.repeat(3_000)}$$);
INSERT INTO keyless VALUES ('without a key');
INSERT INTO big VALUES ('big', repeat('x', 10000000));
`;
const config = `config:
  edition: 3
streams:
  ${JSON.stringify(`${html}stream`)}:
    auto_subscribe: true
    query: SELECT * FROM ${quoted(html)} WHERE owner = auth.user_id()
  ${long}${long}${long}:
    auto_subscribe: true
    query: SELECT * FROM ${long}
  big:
    query: SELECT * FROM big WHERE id = subscription.parameter('which one')
`;

const plain = `config:
  edition: 3
streams:
  lists:
    auto_subscribe: true
    query: SELECT * FROM lists
`;

/** Expects that names are shown as text instead of HTML, and that nothing is wider than the window. */
async function expectPlain(page: Page): Promise<void> {
  const found = await page.evaluate(() => ({
    hacked: 'hacked' in window,
    elements: document.querySelectorAll('main img, main script').length,
    tooWide: document.documentElement.scrollWidth > document.documentElement.clientWidth,
  }));
  expect(found).toEqual({ hacked: false, elements: 0, tooWide: false });
}

describe.skipIf(chromium === undefined)('Unusual names and rows', () => {
  let service: ConsoleService;
  let open: ConsolePage;
  const leaving = new AbortController();

  beforeAll(async () => {
    service = await startConsoleService({ schema, config });
    const response = await fetch(`${service.url}/sync/stream`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${signToken(longUser, clientSecret, { role: html })}`,
        'Content-Type': 'application/json',
      },
      body: JSON.stringify({
        client_id: html,
        app_metadata: { app: html },
        streams: {
          subscriptions: [{ stream: 'big', parameters: { 'which one': html }, override_priority: null }],
        },
      }),
      signal: leaving.signal,
    });
    void response.text().catch(() => undefined);
    open = await openConsolePage(chromium ?? '', service);
  });
  afterAll(async () => {
    leaving.abort();
    await open?.close();
    await service?.stop();
  });

  test.each([1280, 420])('are shown as text on each screen, and fit into %d pixels', async (width) => {
    const { page } = open;
    await page.setViewportSize({ width, height: 800 });
    for (const screen of screens) {
      await showScreen(page, screen);
      await page
        .getByText(/Measuring …|Loading …|Reading the tables …/)
        .first()
        .waitFor({ state: 'detached' });
      await page.locator('main > *').first().waitFor();
      await expectPlain(page);
    }
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  test('are shown for a client, its app and its subscriptions', async () => {
    const { page } = open;
    await showScreen(page, 'devices');
    await page
      .getByRole('listbox', { name: 'Connected clients' })
      .getByRole('option', { name: /<img src=x/ })
      .click();
    await page.locator('[data-device="live"]').waitFor();
    await expect.poll(() => page.getByLabel('which one').inputValue()).toBe(html);
    await page.getByRole('tab', { name: /<img src=x/ }).click();
    await page.getByRole('grid', { name: /<img src=x/ }).waitFor();
    await expectPlain(page);
  });

  test('are shown for tables and columns whose rows are read and explained', async () => {
    const { page } = open;
    await page.getByLabel('Id', { exact: true }).fill('somebody else');
    await page.getByRole('button', { name: 'In the source, not here' }).click();
    await page.getByLabel('Table').selectOption(html);
    await page.locator('.why').first().click();
    await page.locator('.why-panel mark').first().waitFor();
    await expectPlain(page);
    await page.getByRole('button', { name: 'On this device' }).click();
    await showScreen(page, 'data');
    await page.getByRole('button', { name: html, exact: true }).click();
    await page
      .getByRole('grid')
      .getByRole('columnheader', { name: `${html}c` })
      .waitFor();
    await expectPlain(page);
  });

  test('include a table without a primary key, which is read-only with an explanation', async () => {
    const { page } = open;
    await showScreen(page, 'data');
    await page.getByRole('button', { name: 'keyless', exact: true }).click();
    await page.getByText('Read-only, because the table has no primary key.').waitFor();
    await page.getByRole('gridcell', { name: 'without a key' }).focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Delete');
    expect(await page.locator('.cell-editor').count()).toBe(0);
    expect(await service.sql('SELECT count(*)::int AS n FROM keyless')).toEqual([{ n: 1 }]);
  });

  test('include a value of 10 MB, of which only the beginning is shown, in the database and on a device', async () => {
    const { page } = open;
    await showScreen(page, 'data');
    await page.getByRole('button', { name: 'big', exact: true }).click();
    await page.getByRole('gridcell', { name: 'big', exact: true }).waitFor();
    await page.getByRole('gridcell', { name: /^x+/ }).first().focus();
    await page.keyboard.press('Enter');
    await page.getByText('This value is too long to be edited here.').waitFor();
    await page.evaluate(() => {
      const subscriptions = JSON.stringify([{ stream: 'big', parameters: { 'which one': 'big' } }]);
      location.hash = `#/devices?${new URLSearchParams({ user: 'ada', subscriptions })}`;
    });
    await page.getByRole('tab', { name: /^big 1/ }).click();
    await page.getByRole('grid', { name: 'big on the device of ada' }).waitFor();
    expect(await page.evaluate(() => document.body.innerHTML.length)).toBeLessThan(500_000);
  });

  test('cause no errors on the page', () => expect(open.complaints).toEqual([]));
});

describe.skipIf(chromium === undefined)('An empty project', () => {
  test('has an explanation on each screen, and no error', async () => {
    const service = await startConsoleService({});
    const open = await openConsolePage(chromium ?? '', service);
    try {
      const { page } = open;
      const told = (text: string | RegExp) => page.getByText(text).first().waitFor();
      await told('Nothing is deployed yet');
      await showScreen(page, 'map');
      await told('Nothing is deployed');
      await showScreen(page, 'devices');
      await told('No app is connected now.');
      await page.getByRole('button', { name: 'Any other user' }).click();
      await page.getByLabel('Id', { exact: true }).fill('ada');
      await told(/The service does not serve this device\./);
      await page.getByRole('button', { name: 'In the source, not here' }).click();
      await told('No table is synced');
      await showScreen(page, 'data');
      await told('No tables');
      await showScreen(page, 'slow-and-large');
      await told('No problems');
      // The browser logs refusals of the service, which are expected answers.
      expect(open.complaints.filter((each) => !/Failed to load resource/.test(each))).toEqual([]);
    } finally {
      await open.close();
      await service.stop();
    }
  });
});

describe.skipIf(chromium === undefined)('A thousand devices', () => {
  test('are listed, found and counted, but only the visible ones are drawn', async () => {
    const many = 1_000;
    const { api } = serviceSettings({ connection: {} as never, storage: {} as never });
    const service = await startConsoleService({
      schema: 'CREATE TABLE lists (id text PRIMARY KEY, owner text);',
      config: plain,
      settings: { api: { ...api, maxConcurrentConnections: many + 10 } },
    });
    const agent = new Agent({ keepAlive: false, maxSockets: many });
    const streams = Array.from({ length: many }, (_, n) => {
      const call = request(`${service.url}/sync/stream`, {
        method: 'POST',
        agent,
        headers: {
          Authorization: `Bearer ${signToken(`user-${n}`, clientSecret)}`,
          'Content-Type': 'application/json',
        },
      });
      call.on('response', (response) => response.resume());
      call.on('error', () => undefined);
      call.end('{}');
      return call;
    });
    const open = await openConsolePage(chromium ?? '', service, 'devices');
    try {
      const { page } = open;
      const options = page.getByRole('listbox', { name: 'Connected clients' }).getByRole('option');
      await expect.poll(() => options.first().getAttribute('aria-setsize')).toBe(String(many));
      expect(await options.count()).toBeLessThan(60);
      await options.first().focus();
      await page.keyboard.press('End');
      await page.locator(`[role="option"][aria-posinset="${many}"]:focus`).waitFor();
      await page.getByLabel('Connected clients').first().fill('user-777');
      await expect.poll(() => options.count()).toBe(1);
      await showScreen(page, 'service');
      await page.getByText('1,000 connected clients').waitFor();
    } finally {
      for (const stream of streams) stream.destroy();
      agent.destroy();
      await open.close();
      await service.stop();
    }
  });
});

describe.skipIf(chromium === undefined)('A wrong clock', () => {
  test.each([-2, 3])(
    'in the browser, by %d hours, neither makes the service look stalled nor causes wrong ages',
    async (hours) => {
      const service = await startConsoleService({
        schema: 'CREATE TABLE lists (id text PRIMARY KEY, owner text);',
        config: plain,
      });
      const wrong = Date.now() + hours * 3_600_000;
      const open = await openConsolePage(chromium ?? '', service, 'service', (page) =>
        page.clock.setSystemTime(wrong),
      );
      try {
        const { page } = open;
        const state = page.getByRole('region', { name: 'State of the service' });
        await state.getByText('In sync', { exact: true }).waitFor();
        // The clock jumps while the page is open.
        await page.clock.setSystemTime(wrong + 26 * 3_600_000);
        const asked = page.waitForResponse(/diagnostics/);
        await asked;
        await page.waitForResponse(/diagnostics/);
        await state.getByText('In sync', { exact: true }).waitFor();
        expect(await page.locator('main').textContent()).not.toMatch(/-\d+ (ms|s|min|h)\b|NaN|Invalid/);
      } finally {
        await open.close();
        await service.stop();
      }
    },
  );
});
