/** Frames while a thousand rows a second arrive, and what the page holds in the long run. */
import type { CDPSession } from 'playwright-core';
import { pause, type Stage } from '../stage.ts';
import { type ConsoleRig, type OpenPage, openBarePage, openConsole, viewer } from './rig.ts';

/** Milliseconds. */
const watched = 10_000;
const rowsPerSecond = 1_000;
const feedsPerSecond = 20;

export interface FrameTimes {
  readonly intervals: readonly number[];
  /** Of the main thread in each frame, milliseconds. */
  readonly work: readonly number[];
  readonly longTasks: readonly number[];
  /** Rows that the device had more at the end than at the start. */
  readonly rows: number;
}

/** On the device that gets them. */
export async function measureFrames({ browser, stage }: ConsoleRig): Promise<{
  readonly console: FrameTimes;
  readonly bare: FrameTimes;
}> {
  const bare = await openBarePage(browser, stage.service);
  const still = { ...(await framesOf(bare, async () => pause(watched / 4))), rows: 0 };
  await bare.close();
  const open = await openConsole(browser, stage.service, `devices?user=${viewer}`);
  await open.page.locator('[data-device="live"]').waitFor();
  const countRows = async (): Promise<number> =>
    Number(await open.page.getByRole('grid').getAttribute('aria-rowcount'));
  const before = await countRows();
  const feeding = feed(stage, () => insertOwn(rowsPerSecond / feedsPerSecond));
  await pause(1_500);
  const frames = await framesOf(open, () => pause(watched));
  await feeding.stop();
  await pause(1_500);
  const rows = (await countRows()) - before;
  await open.close();
  return { console: { ...frames, rows }, bare: still };
}

export interface Heaps {
  /** Megabytes after the garbage was collected, one each interval. */
  readonly megabytes: readonly number[];
  readonly minutes: number;
}

/** As many rows change a second, and as many are there at the end as at the start: what grows is not the device. */
export async function measureHeap({ browser, stage }: ConsoleRig, minutes: number): Promise<Heaps> {
  const open = await openConsole(browser, stage.service, `devices?user=${viewer}`);
  await open.page.locator('[data-device="live"]').waitFor();
  await stage.query(insertOwn(2_000));
  const half = rowsPerSecond / feedsPerSecond / 2;
  const oldest = `SELECT id FROM items WHERE owner_id = '${viewer}' ORDER BY created_at LIMIT ${half}`;
  const feeding = feed(stage, () => `DELETE FROM items WHERE id IN (${oldest}); ${insertOwn(half)}`);
  const megabytes: number[] = [];
  const interval = Math.max(2_000, (minutes * 60_000) / 20);
  const end = Date.now() + minutes * 60_000;
  while (Date.now() < end) {
    await pause(interval);
    megabytes.push(await heapOf(open.debug));
  }
  await feeding.stop();
  await open.close();
  return { megabytes, minutes };
}

async function heapOf(debug: CDPSession): Promise<number> {
  for (let times = 0; times < 2; times += 1) await debug.send('HeapProfiler.collectGarbage');
  const { usedSize } = await debug.send('Runtime.getHeapUsage');
  return usedSize / 1e6;
}

function insertOwn(rows: number): string {
  return `INSERT INTO items (owner_id, title, done)
    SELECT '${viewer}', 'A title of some thirty letters ' || n, n % 2 = 0 FROM generate_series(1, ${rows}) n`;
}

/** A statement at each beat, and those that were late after it, until it is stopped. */
function feed(
  { query }: Pick<Stage, 'query'>,
  statement: () => string,
): { readonly stop: () => Promise<void> } {
  let isOver = false;
  const run = async (): Promise<void> => {
    const start = performance.now();
    for (let beat = 0; !isOver; beat += 1) {
      await query(statement());
      const next = start + ((beat + 1) * 1_000) / feedsPerSecond;
      await pause(Math.max(0, next - performance.now()));
    }
  };
  const running = run();
  return {
    stop: async () => {
      isOver = true;
      await running;
    },
  };
}

interface TraceEvent {
  readonly name: string;
  readonly tid: number;
  readonly pid: number;
  readonly ts: number;
  readonly dur?: number;
  readonly args?: { readonly name?: string };
}

async function framesOf(
  { page, debug }: OpenPage,
  act: () => Promise<void>,
): Promise<Omit<FrameTimes, 'rows'>> {
  const events: TraceEvent[] = [];
  debug.on('Tracing.dataCollected', ({ value }) => events.push(...(value as unknown as TraceEvent[])));
  await page.evaluate(() => {
    window.frameWatch.takeIntervals();
    window.frameWatch.takeLongTasks();
  });
  const categories = ['toplevel', 'devtools.timeline', 'disabled-by-default-devtools.timeline'];
  await debug.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: categories },
  });
  await act();
  const intervals = await page.evaluate(() => window.frameWatch.takeIntervals());
  const longTasks = await page.evaluate(() => window.frameWatch.takeLongTasks());
  const complete = new Promise((resolve) => debug.once('Tracing.tracingComplete', resolve));
  await debug.send('Tracing.end');
  await complete;
  return { intervals, longTasks, work: workPerFrame(events) };
}

/** Of the thread that runs animation frames: what its tasks took from one frame to the next. */
function workPerFrame(events: readonly TraceEvent[]): readonly number[] {
  const byThread = new Map<string, number[]>();
  for (const { name, pid, tid, ts } of events) {
    if (name !== 'FireAnimationFrame') continue;
    const thread = `${pid} ${tid}`;
    byThread.set(thread, [...(byThread.get(thread) ?? []), ts]);
  }
  const [thread, frames = []] = [...byThread].toSorted(([, a], [, b]) => b.length - a.length)[0] ?? [];
  const starts = frames.toSorted((a, b) => a - b);
  const tasks = events
    .filter(({ name, pid, tid }) => name === 'RunTask' && `${pid} ${tid}` === thread)
    .sort((a, b) => a.ts - b.ts);
  const work: number[] = starts.slice(1).map(() => 0);
  let at = 0;
  for (const { ts, dur = 0 } of tasks) {
    while (at + 1 < starts.length && (starts[at + 1] ?? 0) <= ts) at += 1;
    if (at < work.length && ts >= (starts[0] ?? 0)) work[at] = (work[at] ?? 0) + dur / 1_000;
  }
  return work;
}
