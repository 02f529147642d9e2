/**
 * Measures deploys with ten streams over ten tables: of configs with the same meaning, without one of the streams, or with
 * a changed stream; and how much copying all tables slows down the clients that are served meanwhile. The results are meant
 * for `--rows=5000000`. `--storage=embedded` or `--storage=postgresql` measures only one storage, and `--short` starts a
 * copy four times instead of eight.
 */
import { startPostgres, type TestPostgres } from '../../support/processes/postgres.ts';
import { percentile, printTable } from '../measure.ts';
import { count, type Figure, perSecond } from '../scale/figure.ts';
import { openWorld, type World } from '../scale/world.ts';
import {
  type BeginningLags,
  type BusyCopy,
  beginAgainAndAgain,
  type Copy,
  copyAll,
  copyAllWithChanges,
  wantedChanges,
} from './copying.ts';
import { reuse } from './reuse.ts';
import { configOf, tableCount, tablesOf } from './rows.ts';

const defaultRows = 100_000;
const storages = ['embedded', 'postgresql'] as const;

/** Server settings for a database of this size. */
const settings = { shared_buffers: '256MB', max_wal_size: '4GB' };

export async function bench(): Promise<void> {
  const flag = (name: string) =>
    process.argv.find((arg) => arg.startsWith(`--${name}=`))?.slice(name.length + 3);
  const total = Number(flag('rows') ?? defaultRows);
  const chosen = flag('storage');
  const timesBegun = process.argv.includes('--short') ? 4 : 8;
  for (const storage of storages) {
    if (chosen !== undefined && chosen !== storage) continue;
    const title = `${storage} storage, 10 streams, ${count(total)} rows`;
    const [alone, cost] = await inWorld(storage, total, async (world) => {
      const copy = await copyAll(world);
      return [copy, await reuse(world)] as const;
    });
    print(`Deploys: ${title}`, cost);
    const busy = await inWorld(storage, total, async (world, source) => {
      const clients = [await source.client(world.database), await source.client(world.database)] as const;
      try {
        return await copyAllWithChanges(world, clients, Math.ceil(total / tableCount));
      } finally {
        for (const client of clients) await client.end();
      }
    });
    print(`Copying with changes: ${title}`, copyFigures(total, alone, busy));
    const beginning = await inWorld(storage, total, async (world, source) => {
      const client = await source.client(world.database);
      try {
        return await beginAgainAndAgain(world, client, timesBegun);
      } finally {
        await client.end();
      }
    });
    print(`Beginning to copy ten tables: ${title}`, beginningFigures(beginning));
  }
}

function print(title: string, figures: readonly Figure[]): void {
  const columns = (cells: readonly (string | undefined)[]) => cells.map((cell = '') => cell);
  printTable(
    title,
    ['what', 'measured', 'wanted'],
    figures.map(({ what, measured, wanted }) => columns([what, measured, wanted])),
  );
}

/**
 * Runs a measurement with its own servers, so that the writes of one do not disturb another. At first, only the stream
 * `notes` is deployed.
 */
async function inWorld<T>(
  storage: (typeof storages)[number],
  total: number,
  measure: (world: World, source: TestPostgres) => Promise<T>,
): Promise<T> {
  const source = await startPostgres(settings);
  const store = storage === 'postgresql' ? await startPostgres(settings) : undefined;
  try {
    const world = await openWorld(source, {
      tables: tablesOf(total),
      storage: store,
      verification: { percent_of_time: 0 },
    });
    try {
      await world.deploy(configOf([]));
      return await measure(world, source);
    } finally {
      await world.close();
    }
  } finally {
    await source.stop();
    await store?.stop();
  }
}

function beginningFigures({ before, longest }: BeginningLags): Figure[] {
  const p = (lags: readonly number[], percent: number) => `${percentile(lags, percent).toFixed(0)} ms`;
  return [
    { what: 'lag of what is served, before a deploy, p50', measured: p(before, 50) },
    { what: '… at most', measured: p(before, 100) },
    { what: 'longest lag in the second after a deploy, p50', measured: p(longest, 50) },
    { what: '… at most', measured: p(longest, 100), wanted: '< 1,000 ms' },
  ];
}

function copyFigures(total: number, alone: Copy, busy: BusyCopy): Figure[] {
  const rate = ({ milliseconds, processor, peak }: Copy) =>
    `${perSecond(total, milliseconds)} (${((processor * 1_000) / total).toFixed(1)} µs of the processor a row, ${peak.toFixed(0)} MB)`;
  const lost = 1 - alone.milliseconds / busy.milliseconds;
  const p = (percent: number) => `${percentile(busy.lags, percent).toFixed(0)} ms`;
  return [
    { what: 'copying, without changes', measured: rate(alone) },
    { what: 'copying, with changes', measured: rate(busy) },
    {
      what: '… changes that arrive',
      measured: `${count(busy.changes)}/s`,
      wanted: `${count(wantedChanges)}/s`,
    },
    { what: '… what the copy loses', measured: `${(lost * 100).toFixed(0)} %`, wanted: '< 30 %' },
    { what: '… lag of what is served, p50', measured: p(50) },
    { what: '… p99', measured: p(99) },
    { what: '… at most', measured: p(100), wanted: '< 1,000 ms' },
  ];
}
