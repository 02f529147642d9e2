/** A table of a million rows in Chromium. It opens at once, is paged, and is never loaded completely. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type ConsolePage,
  type ConsoleService,
  findChromium,
  openConsolePage,
  startConsoleService,
} from '../support/console/console.ts';
import { postgresPrograms, startPostgres, type TestPostgres } from '../support/processes/postgres.ts';

const count = 1_000_000;

const chromium = await findChromium();
const isMissing = chromium === undefined || postgresPrograms.kind === 'missing';

describe.skipIf(isMissing)('A table of a million rows', () => {
  let postgres: TestPostgres;
  let service: ConsoleService;
  let open: ConsolePage;
  /** The number of rows in all answers to statements. */
  let rowsRead = 0;
  const statements: string[] = [];

  beforeAll(async () => {
    postgres = await startPostgres();
    await postgres.query(`CREATE TABLE numbers (n int PRIMARY KEY, text text);
      INSERT INTO numbers SELECT n, 'number ' || n FROM generate_series(1, ${count}) AS n; ANALYZE numbers`);
    service = await startConsoleService({
      settings: { connection: postgres.connection({ debugApi: true }) },
      database: postgres.uri,
    });
    open = await openConsolePage(chromium ?? '', service);
    open.page.on('response', async (response) => {
      if (!response.url().endsWith('/execute-sql')) return;
      statements.push(String(response.request().postDataJSON().sql.query));
      const answer = await response.json().catch(() => undefined);
      rowsRead += answer?.data?.results?.rows?.length ?? 0;
    });
  });
  afterAll(async () => {
    await open?.close();
    await service?.stop();
    await postgres?.stop();
  });
  const grid = () => open.page.getByRole('grid', { name: 'Rows of numbers' });
  const cell = (text: string) => grid().getByRole('gridcell', { name: text, exact: true });
  const drawn = () => open.page.locator('.grid-row').count();
  const pagesAsked = () => statements.filter((statement) => statement.includes('OFFSET')).length;

  test('shows its first page while its rows are still being counted', async () => {
    await open.page.evaluate(() => {
      location.hash = '#/data?table=numbers';
    });
    await cell('number 1').waitFor();
    await expect.poll(() => grid().getAttribute('aria-rowcount')).toBe(String(count + 1));
    expect(pagesAsked()).toBeLessThanOrEqual(2);
    expect(await drawn()).toBeLessThan(80);
  });

  test('can be scrolled to the last row and to the middle, and reads only the visible pages', async () => {
    await cell('number 1').focus();
    await open.page.keyboard.press('Control+End');
    await cell(`number ${count}`).waitFor();
    expect(await drawn()).toBeLessThan(80);
    await grid().evaluate((frame) => {
      frame.scrollTop = frame.scrollHeight / 2;
    });
    const inTheMiddle = () =>
      grid()
        .getByRole('gridcell', { name: /^number (49|50)\d{4}$/ })
        .count();
    await expect.poll(inTheMiddle).toBeGreaterThan(5);
    expect(pagesAsked()).toBeLessThan(12);
  });

  test('reads only a few of the pages that the scroll bar is dragged over', async () => {
    const before = pagesAsked();
    await grid().evaluate(async (frame) => {
      for (let step = 0; step <= 300; step += 1) {
        frame.scrollTop = (frame.scrollHeight * step) / 300;
        await new Promise(requestAnimationFrame);
      }
    });
    await cell(`number ${count}`).waitFor();
    expect(pagesAsked() - before).toBeLessThan(300);
    expect(rowsRead).toBeLessThan(count / 10);
    expect(await drawn()).toBeLessThan(80);
  });

  test('can be sorted and searched', async () => {
    const heading = grid().getByRole('columnheader', { name: 'n', exact: true });
    await heading.click();
    await heading.click();
    await open.page.keyboard.press('Control+Home');
    await cell(`number ${count}`).waitFor();
    await open.page.getByLabel('Find in numbers').fill('number 99999');
    await expect.poll(() => grid().getAttribute('aria-rowcount')).toBe('12');
    // The page asks whether rows can be written. The service answers 422, because the database is not its own.
    expect(open.complaints.filter((each) => !each.includes('422'))).toEqual([]);
  });
});
