/** The map of 200 tables and 1,000 streams: until it is laid out, and whether the page can be used meanwhile. */
import type { Page } from 'playwright-core';
import { deploy, isActive, pause, type Stage } from '../stage.ts';
import { type ConsoleRig, openConsole } from './rig.ts';

const counts = { tables: 200, streams: 1_000 };

export interface MapTimes {
  /** Milliseconds from the start of the navigation. */
  readonly opened: number;
  /** Milliseconds from the answer of the service. */
  readonly drawn: number;
  /** Milliseconds of each group that was opened after that, until its members were painted. */
  readonly groups: readonly number[];
  /** Entries that are shown when all of these are open. */
  readonly entries: number;
  /** Milliseconds of tasks that took at least 50: until the map was there and a little longer, and while groups opened. */
  readonly longTasks: { readonly opened: readonly number[]; readonly groups: readonly number[] };
}

export async function measureMap({ browser, stage }: ConsoleRig): Promise<MapTimes> {
  await deployLarge(stage);
  const { page, close } = await openConsole(browser, stage.service, 'map');
  const canvas = page.locator('.map-canvas');
  await page.addInitScript(() => {
    const look = (): void => {
      if (document.querySelector('[data-layout="done"] [data-id]') === null) return;
      observer.disconnect();
      window.frameWatch.afterPaint(() => {
        (window as { laidOut?: number }).laidOut = Math.round(performance.now());
      });
    };
    const observer = new MutationObserver(look);
    observer.observe(document, { subtree: true, childList: true, attributes: true });
  });
  await page.reload();
  const laidOut = await page.waitForFunction(() => (window as { laidOut?: number }).laidOut);
  const opened = Number(await laidOut.jsonValue());
  const answered = await page.evaluate(() =>
    // Of the first one: it is asked for again when the state of the service is known.
    Math.min(
      ...performance
        .getEntriesByType('resource')
        .filter(({ name }) => name.endsWith('/api/admin/v1/map'))
        .map((entry) => (entry as PerformanceResourceTiming).responseEnd),
    ),
  );
  const takeLongTasks = () => page.evaluate(() => window.frameWatch.takeLongTasks());
  // What comes each second is drawn into it, too.
  await pause(3_000);
  const whenOpened = await takeLongTasks();
  const groups: number[] = [];
  for (;;) {
    const took = await openNextGroup(page);
    if (took === undefined) break;
    groups.push(took);
  }
  const entries = Number(
    (await canvas.getAttribute('data-entries')) ?? (await canvas.locator('[data-id]').count()),
  );
  const longTasks = { opened: whenOpened, groups: await takeLongTasks() };
  await close();
  return { opened, drawn: opened - answered, groups, entries, longTasks };
}

/** Undefined if all are open. */
function openNextGroup(page: Page): Promise<number | undefined> {
  return page.evaluate(async () => {
    const canvas = document.querySelector('.map-canvas');
    const picture = document.querySelector('.map-picture');
    if (canvas === null || picture === null) return undefined;
    // Of a large map, only what is seen is in the page.
    const nextGroup = async (): Promise<HTMLElement | undefined> => {
      for (;;) {
        const found = canvas.querySelector<HTMLElement>('.entry.group');
        if (found !== null) return found;
        const before = picture.scrollTop;
        picture.scrollBy(0, picture.clientHeight);
        await new Promise((resolve) => setTimeout(resolve, 50));
        if (picture.scrollTop === before) return undefined;
      }
    };
    const group = await nextGroup();
    if (group === undefined) return undefined;
    const start = performance.now();
    const id = group.dataset.id;
    return new Promise<number>((resolve) => {
      const look = (): void => {
        const isOpen = canvas.querySelector(`[data-id="${CSS.escape(id ?? '')}"]`) === null;
        if (!isOpen || canvas.getAttribute('data-layout') !== 'done') return;
        observer.disconnect();
        window.frameWatch.afterPaint(() => resolve(performance.now() - start));
      };
      const observer = new MutationObserver(look);
      observer.observe(canvas, { subtree: true, childList: true, attributes: true });
      group.click();
    });
  });
}

/** Streams of five tables each share their areas, as those of a real app do. */
async function deployLarge(stage: Stage): Promise<void> {
  const areas = ['billing', 'chat', 'crm', 'files', 'people', 'plans', 'stock', 'tasks'];
  const tableOf = (n: number): string => `${areas[n % areas.length]}_table_${n}`;
  const tables = Array.from({ length: counts.tables }, (_, n) => tableOf(n));
  await stage.query(
    tables.map((name) => `CREATE TABLE ${name} (id uuid PRIMARY KEY, owner_id text, parent uuid)`).join(';'),
  );
  const streams = Array.from({ length: counts.streams }, (_, n) => {
    const [rows, access] = [tableOf(n % counts.tables), tableOf((n * 7 + 3) % counts.tables)];
    const name = `${areas[n % areas.length]}_stream_${n}`;
    const query =
      n % 3 === 0
        ? `SELECT * FROM ${rows} WHERE owner_id = auth.user_id()`
        : `SELECT * FROM ${rows} WHERE parent IN (SELECT id FROM ${access} WHERE owner_id = auth.user_id())`;
    return `  ${name}:\n    query: ${query}\n`;
  });
  const content = `config:\n  edition: 3\nstreams:\n${streams.join('')}`;
  await deploy(stage.service, content);
  while (!(await isActive(stage, content))) await pause(100);
}
