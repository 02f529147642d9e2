/** Copying all that is added to a config that is served, without changes and with changes that arrive meanwhile. */
import type pg from 'pg';
import type { World } from '../scale/world.ts';
import { deploy, openStream, pause, processorTime, residentMegabytes } from '../stage.ts';
import { configOf, itemStreams, keyOf, noteCount, tableNames, watcher } from './rows.ts';

export interface Copy {
  readonly milliseconds: number;
  /** Milliseconds of the service's processor. */
  readonly processor: number;
  /** Megabytes of the service's memory, at most. */
  readonly peak: number;
}

/** Copies until all streams are active. */
export async function copyAll(world: World): Promise<Copy> {
  const { pid } = world.service;
  let peak = 0;
  const timer = setInterval(() => {
    peak = Math.max(peak, residentMegabytes(pid));
  }, 100);
  const before = processorTime(pid);
  try {
    const milliseconds = await world.deploy(configOf(itemStreams));
    return { milliseconds, processor: processorTime(pid) - before, peak };
  } finally {
    clearInterval(timer);
  }
}

/**
 * The number of changes in a second, in transactions of so many. Half of them concern rows that are being copied, and half
 * served rows.
 */
export const wantedChanges = 5_000;
const rowsAtOnce = 50;

export interface BusyCopy extends Copy {
  /** A second. */
  readonly changes: number;
  /** Milliseconds from the beginning of a change in the source until a client of the active config has it. */
  readonly lags: readonly number[];
}

/**
 * @param clients two of the source's database
 * @param rows of each table
 */
export async function copyAllWithChanges(
  world: World,
  [writer, marker]: readonly [pg.Client, pg.Client],
  rows: number,
): Promise<BusyCopy> {
  const stop = new AbortController();
  const start = performance.now();
  const changing = change(writer, rows, stop.signal);
  const lagging = watchLag(world, marker, { every: markedEvery }, stop.signal);
  // Both are under way: what runs for the first time is slower.
  await pause(warmUp);
  try {
    const copy = await copyAll(world);
    stop.abort();
    const changes = ((await changing) * 1_000) / (performance.now() - start);
    return { ...copy, changes, lags: (await lagging).map(({ lag }) => lag) };
  } finally {
    stop.abort();
    await Promise.allSettled([changing, lagging]);
  }
}

const warmUp = 2_000;

/** Returns how many rows it has changed. */
async function change(client: pg.Client, rows: number, signal: AbortSignal): Promise<number> {
  const start = performance.now();
  let changed = 0;
  for (let n = 0; !signal.aborted; n += 1) {
    const table = tableNames[n % tableNames.length] ?? '';
    // Prepared once for each table.
    await client.query({ name: table, text: changeOf(table, rows), values: [changed, `changed ${n}`] });
    changed += rowsAtOnce;
    const due = (changed * 1_000) / wantedChanges;
    await pause(Math.max(0, start + due - performance.now()));
  }
  return changed;
}

/** Jumps from row to row, far enough that no two of a transaction are neighbours, and comes to all of them. */
const stride = 7_919;

function changeOf(table: string, rows: number): string {
  const numbers = `SELECT 1 + (k::bigint * ${stride})`;
  const series = `FROM generate_series($1::int, $1::int + ${rowsAtOnce / 2 - 1}) k`;
  return `WITH served AS (UPDATE notes SET body = $2
      WHERE id IN (SELECT 'n' || n FROM (${numbers} % ${noteCount} AS n ${series}) AS chosen))
    UPDATE ${table} SET title = $2
      WHERE id IN (SELECT ${keyOf(table, 'n')} FROM (${numbers} % ${rows} AS n ${series}) AS chosen)`;
}

const markedEvery = 100;

/** The time in milliseconds until a client of the active config has a change of the served rows. */
interface Arrival {
  /** When it was made, by `performance.now()`. */
  readonly at: number;
  readonly lag: number;
}

/** @param client of the source's database */
async function watchLag(
  { service }: World,
  client: pg.Client,
  { every }: { readonly every: number },
  signal: AbortSignal,
): Promise<readonly Arrival[]> {
  const arrivals: Arrival[] = [];
  let watching = await openStream(service, watcher);
  await watching.completed();
  for (let n = 0; !signal.aborted; n += 1) {
    const text = `marker ${n} of the run`;
    let seen = watching.saw(text);
    const at = performance.now();
    await client.query('UPDATE notes SET body = $1 WHERE id = $2', [text, watcher]);
    // The client connects again, as any client does.
    while (!signal.aborted && (await Promise.race([seen, watching.ended.then(() => 'ended')])) === 'ended') {
      watching = await openStream(service, watcher);
      seen = watching.saw(text);
    }
    arrivals.push({ at, lag: performance.now() - at });
    await pause(every);
  }
  watching.close();
  return arrivals;
}

export interface BeginningLags {
  /** Milliseconds, of changes made while nothing is deployed. */
  readonly before: readonly number[];
  /** The longest of each deploy, of changes made in the second that follows it. */
  readonly longest: readonly number[];
}

const second = 1_000;

/** Deploys all streams so many times, and gives each of these up after a second. */
export async function beginAgainAndAgain(
  world: World,
  marker: pg.Client,
  times: number,
): Promise<BeginningLags> {
  const stop = new AbortController();
  const lagging = watchLag(world, marker, { every: 5 }, stop.signal);
  await pause(warmUp);
  const begun: number[] = [];
  for (let time = 0; time < times; time += 1) {
    begun.push(performance.now());
    await deploy(world.service, configOf(itemStreams));
    await pause(second);
    await deploy(world.service, configOf([]));
    // The copied rows are deleted meanwhile.
    await pause(2 * second);
  }
  stop.abort();
  const arrivals = await lagging;
  const first = begun[0] ?? 0;
  return {
    before: arrivals.filter(({ at }) => at < first - 100 && at > first - second).map(({ lag }) => lag),
    longest: begun.map((from) =>
      Math.max(...arrivals.filter(({ at }) => at > from - 50 && at < from + second).map(({ lag }) => lag)),
    ),
  };
}
