/** The console as a user meets it: a real service, a real database, and Chromium. */
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import {
  type ConsolePage,
  type ConsoleService,
  findChromium,
  openConsolePage,
  showScreen,
  startConsoleService,
} from '../support/console/console.ts';

const hostile = `<img src=x onerror="document.title='owned'">`;
const schema = `
CREATE TABLE lists (id text PRIMARY KEY, owner text);
CREATE TABLE "${hostile.replaceAll('"', '""')}" (id text PRIMARY KEY, owner text);
INSERT INTO lists SELECT 'l' || n, CASE n % 3 WHEN 0 THEN 'ada' WHEN 1 THEN 'grace' ELSE $$${hostile}$$ END
FROM generate_series(1, 30) AS n;
`;
const config = `config:
  edition: 3
streams:
  lists:
    auto_subscribe: true
    query: SELECT id, owner FROM lists WHERE owner = auth.user_id()
`;

const chromium = await findChromium();

describe.skipIf(chromium === undefined)('The console', () => {
  let service: ConsoleService;
  let shown: ConsolePage;
  let page: Page;

  beforeAll(async () => {
    service = await startConsoleService({ schema, config });
    shown = await openConsolePage(chromium as string, service);
    page = shown.page;
  });
  afterAll(async () => {
    await shown?.close();
    await service?.stop();
  });

  /** Connects a client of this user until the test ends. */
  async function connect(user: string): Promise<void> {
    const { token } = (await service.ask('/api/admin/v1/client-token', { user_id: user })) as {
      readonly token: string;
    };
    const leaving = new AbortController();
    const response = await fetch(`${service.url}/sync/stream`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ client_id: user }),
      signal: leaving.signal,
    });
    const reading = response.text().catch(() => undefined);
    onTestFinished(async () => {
      leaving.abort();
      await reading;
    });
  }

  test('shows whole names of tables and screens next to an editor', async () => {
    const before = page.viewportSize() ?? { width: 1_280, height: 720 };
    onTestFinished(() => page.setViewportSize(before));
    await page.setViewportSize({ width: 780, height: 800 });
    await showScreen(page, 'data');
    await page.locator('.table-name').nth(1).waitFor();
    const cutOff = () =>
      page.evaluate(() =>
        [...document.querySelectorAll('.table-name, .rail nav a span')]
          .filter((name) => name.scrollWidth > name.clientWidth + 1)
          .map((name) => name.textContent),
      );
    expect(await cutOff()).toEqual([]);
    const heights = () =>
      page.evaluate(() =>
        [...document.querySelectorAll('.rail nav a')].map(({ clientHeight }) => clientHeight),
      );
    for (const screen of ['data', 'slow-and-large']) {
      await showScreen(page, screen);
      expect(new Set(await heights()).size).toBe(1);
    }
  });

  const lane = (id: string) => page.locator(`[data-lane="${id}"] .value`);

  test('shows that everything is in sync, and counts the connected clients', async () => {
    await showScreen(page, 'service');
    await page.getByText('In sync', { exact: true }).waitFor();
    await connect('ada');
    await expect.poll(() => lane('clients').textContent()).toBe('1');
  });

  test('shows and compares deployments, and can deploy an earlier one again', async () => {
    await showScreen(page, 'service');
    await service.deploy(config.replace('SELECT id, owner FROM', 'SELECT id FROM'));
    const change = page.locator('.event', { hasText: 'changed stream lists' }).first();
    await change.getByRole('button', { name: /^Compare/ }).click();
    const dialog = page.getByRole('dialog');
    await dialog.locator('.added', { hasText: 'SELECT id FROM lists' }).waitFor();
    await dialog.locator('.removed', { hasText: 'SELECT id, owner FROM lists' }).waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    const first = page.locator('.event', { hasText: 'the first one' });
    await first.getByRole('button', { name: /^Go back/ }).click();
    await dialog.getByRole('button', { name: 'Go back' }).click();
    await expect
      .poll(async () => {
        const { active_sync_rules: active } = (await service.ask('/api/admin/v1/diagnostics', {
          sync_rules_content: true,
        })) as { readonly active_sync_rules?: { readonly content: string } };
        return active?.content;
      })
      .toBe(config);
  });

  test('shows the values of the charts in a table', async () => {
    await showScreen(page, 'service');
    await page.getByRole('button', { name: 'As a table' }).click();
    const headings = await page.getByRole('columnheader').allTextContents();
    expect(headings).toEqual(['Minute', 'Lag', 'Rows in', 'Operations out', 'Clients', 'Storage', 'Memory']);
    await page.getByRole('button', { name: 'As a table' }).click();
  });

  test('lists the users with the most buckets, and the largest buckets, whatever their names are', async () => {
    await showScreen(page, 'slow-and-large');
    const users = page.getByRole('region', { name: 'Users with the most buckets' }).first();
    await users.getByText('With one subscription to each stream, a client has at most 1 bucket').waitFor();
    const buckets = page.getByRole('region', { name: 'Largest buckets' }).first();
    await buckets.getByText('<img src=x').first().waitFor();
    await page.getByRole('button', { name: 'Compact now' }).click();
    await page.getByText('The histories of all buckets were compacted.').waitFor();
    expect(await page.title()).toBe('Slow and large · Headwater');
  });

  test('can be used by keyboard: one tab stop for the navigation, arrow keys between screens, and a skip link', async () => {
    await showScreen(page, 'service');
    await page.locator('nav a[aria-current="page"]').focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.locator('nav a[href="#/slow-and-large"][aria-current="page"]').waitFor();
    await page.locator('.skip').focus();
    await page.keyboard.press('Enter');
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('MAIN');
  });

  test('keeps tokens, sign-in codes and its cookie out of the address, the storage and the reach of scripts', async () => {
    const held = await page.evaluate(() => [
      document.cookie,
      JSON.stringify(localStorage),
      JSON.stringify(sessionStorage),
      location.href,
    ]);
    expect(held.slice(0, 1)).toEqual(['']);
    expect(held.join('\n')).not.toMatch(/sign-in|admin-token|eyJ|headwater-console-\d/);
    expect(await page.content()).not.toMatch(/admin-token|eyJ/);
  });

  const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

  describe.each(['light', 'dark', 'contrast'])('in the theme %s', (theme) => {
    test.each(['map', 'devices', 'data', 'service', 'slow-and-large'])(
      'has no accessibility barriers: %s',
      async (screen) => {
        await showScreen(page, screen);
        await page.locator('.theme select').selectOption(theme);
        await page.locator('main > *').first().waitFor();
        await page.getByText('Measuring …').first().waitFor({ state: 'detached' });
        if (!(await page.evaluate(() => 'axe' in window))) await addScript(page, axe);
        const violations = await page.evaluate(async () => {
          // biome-ignore lint/suspicious/noExplicitAny: it comes from the script
          const found = await (window as any).axe.run({ resultTypes: ['violations'] });
          return found.violations.map((each: { id: string; nodes: { html: string }[] }) => [
            each.id,
            ...each.nodes.map(({ html }) => html.slice(0, 200)),
          ]);
        });
        expect(violations).toEqual([]);
      },
    );
  });

  test('causes no errors on the page', () => {
    expect(shown.complaints).toEqual([]);
  });

  test('runs only its own scripts, and sends requests only to the service', async () => {
    const tried = await page.evaluate(async () => {
      const script = document.createElement('script');
      script.textContent = 'window.inline = true';
      document.head.append(script);
      const reached = await fetch('http://127.0.0.1:1/').then(
        () => true,
        () => false,
      );
      // The policy has to refuse a string as code.
      setTimeout('window.evaluated = true' as unknown as () => void, 0);
      await new Promise((resolve) => setTimeout(resolve, 10));
      return { inline: 'inline' in window, reached, evaluated: 'evaluated' in window };
    });
    expect(tried).toEqual({ inline: false, reached: false, evaluated: false });
  });

  test('shows the last known state after the service has stopped', async () => {
    await showScreen(page, 'service');
    await service.stop();
    await page.getByText(/Last known/).waitFor();
  });
});

/** Runs a script through the debugger, because the policy of the page allows only its own scripts. */
async function addScript(page: Page, path: string): Promise<void> {
  const { readFileSync } = await import('node:fs');
  const session = await page.context().newCDPSession(page);
  await session.send('Runtime.evaluate', { expression: readFileSync(path, 'utf8') });
}
