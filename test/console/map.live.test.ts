/** The map of a real service in a browser, with the numbers that the service reports. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { root } from '../../scripts/root.ts';
import {
  type ConsolePage,
  type ConsoleService,
  findChromium,
  openConsolePage,
  showScreen,
  startConsoleService,
} from '../support/console/console.ts';

const chromium = await findChromium();

const schema = `
CREATE TABLE lists (id uuid PRIMARY KEY, owner_id text, name text);
CREATE TABLE todos (id uuid PRIMARY KEY, list_id uuid, description text);
CREATE TABLE "<b>bold</b>" (id uuid PRIMARY KEY);
CREATE TABLE logs (id uuid PRIMARY KEY);
CREATE TABLE jobs (id uuid PRIMARY KEY);
ALTER TABLE todos ENABLE ROW LEVEL SECURITY;
INSERT INTO lists SELECT gen_random_uuid(), 'ada', 'list ' || n FROM generate_series(1, 3) n;
`;

const config = `config:
  edition: 3
streams:
  mine:
    auto_subscribe: true
    query: SELECT * FROM lists WHERE owner_id = auth.user_id()
  open:
    query: SELECT * FROM todos
  gone:
    query: SELECT * FROM nothing WHERE owner_id = auth.user_id()
  strange:
    query: SELECT * FROM "<b>bold</b>" WHERE id = auth.user_id()
`;

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

describe.skipIf(chromium === undefined)('the map of a service', () => {
  let service: ConsoleService;
  let opened: ConsolePage;
  let page: Page;

  beforeAll(async () => {
    service = await startConsoleService({ schema, config });
    opened = await openConsolePage(chromium ?? '', service, 'map');
    page = opened.page;
  });

  afterAll(async () => {
    await opened?.close();
    await service?.stop();
  });

  const node = (id: string) => page.locator(`[data-id="${id}"]`);

  test('shows tables, streams and audiences, with the numbers of stored rows and buckets', async () => {
    await node('table lists').locator('.entry-facts', { hasText: '3 rows' }).waitFor();
    await node('stream mine').locator('.entry-facts', { hasText: '1 bucket' }).waitFor();
    expect(await page.locator('[data-id]').count()).toBe(10);
    expect(await node('table <b>bold</b>').textContent()).toContain('<b>bold</b>');
  });

  test('shows a text while it is being arranged', async () => {
    const waiting = await openConsolePage(chromium ?? '', service);
    try {
      // No answer ever comes, as if the worker computed for long.
      await waiting.page.route('**/layout.js', () => {});
      await showScreen(waiting.page, 'map');
      await waiting.page.getByText('Arranging the map …').waitFor();
      await waiting.page.unroute('**/layout.js');
      await waiting.page.reload();
      await waiting.page.locator('[data-layout="done"]').waitFor();
      expect(await waiting.page.getByText('Arranging the map …').count()).toBe(0);
    } finally {
      await waiting.close();
    }
  });

  test('shows the sentence of a stream below its name, in full', async () => {
    const sentence = node('stream mine').locator('.entry-text');
    expect(await sentence.textContent()).toBe('Each user gets rows of lists. No subscription is required.');
    const cutOff = () =>
      page.evaluate(() =>
        [...document.querySelectorAll('.entry-name, .entry-text')]
          .filter((text) => text.scrollHeight > text.clientHeight + 1)
          .map((text) => text.textContent),
      );
    expect(await cutOff()).toEqual([]);
    for (const width of [1920, 616, 466]) {
      await page.setViewportSize({ width, height: 800 });
      await expect.poll(cutOff).toEqual([]);
    }
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  test('names the tables that no stream reads in one line, and shows them if a search finds them', async () => {
    const line = page.locator('.map-unread');
    expect(await line.locator('summary').textContent()).toBe('2 tables that no stream reads: jobs and logs');
    expect(await node('table logs').count()).toBe(0);
    await page.getByLabel('Search').fill('logs');
    await line.locator('li', { hasText: 'logs' }).waitFor();
    await page.keyboard.press('Escape');
    await line.locator('li').first().waitFor({ state: 'hidden' });
  });

  test('marks tables that the source lacks, and streams that every user can get', async () => {
    expect(await node('table nothing').getAttribute('class')).toContain('missing');
    expect(await node('stream gone').getAttribute('class')).toContain('missing');
    expect(await node('table todos').getAttribute('class')).toContain('open');
    await node('stream open').hover();
    await page.getByText('although the table has row-level security').first().waitFor();
  });

  test('can be used by keyboard, and shows the line of a stream in the config', async () => {
    await node('table lists').focus();
    await page.keyboard.press('ArrowRight');
    await page.locator('[data-id="stream mine"]:focus').waitFor();
    await page.keyboard.press('Enter');
    const here = page.locator('.map-place .here');
    await here.waitFor();
    expect(await here.textContent()).toContain('mine:');
    const [picture, config] = [page.locator('.map-picture'), page.locator('.map-place')];
    const isBeside = async () => {
      const [map, place] = [await picture.boundingBox(), await config.boundingBox()];
      return map !== null && place !== null && map.x + map.width <= place.x;
    };
    expect(await isBeside()).toBe(true);
    await page.getByRole('button', { name: 'Close' }).click();
    await here.waitFor({ state: 'detached' });
  });

  test('shows only the search results, and all nodes again after the search', async () => {
    await page.keyboard.press('/');
    await page.keyboard.type('lists');
    await node('stream open').waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await node('stream open').waitFor();
  });

  test('changes after a deploy', async () => {
    await service.deploy(
      `${config}  more:\n    query: SELECT id FROM lists WHERE owner_id = auth.user_id()\n`,
    );
    await node('stream more').waitFor();
  });

  test.each(['light', 'dark', 'contrast'])('has no accessibility barriers in the theme %s', async (theme) => {
    await page.getByLabel('Colours').selectOption(theme);
    // The policy of the page would refuse this code in a script element.
    await page.evaluate(axe);
    const found = await page.evaluate(async () => {
      const { axe: runner } = globalThis as unknown as {
        axe: { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
      };
      return (await runner.run()).violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
    });
    expect(found).toEqual([]);
    await page.screenshot({ path: join(root, 'artifacts', `console-map-${theme}.png`) });
  });

  test('becomes a tree in a narrow window', async () => {
    await page.setViewportSize({ width: 420, height: 800 });
    await page.locator('.map-tree summary', { hasText: 'mine' }).click();
    await page.getByText('Each user gets rows of lists.', { exact: false }).first().waitFor();
    await page.setViewportSize({ width: 1280, height: 800 });
    await node('stream mine').waitFor();
  });

  test('causes no errors on the page', () => {
    expect(opened.complaints).toEqual([]);
  });
});
