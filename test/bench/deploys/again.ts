/**
 * Measures how long clients wait for changes of other tables while one table is copied again after a migration. The result is
 * meant for `--rows=5000000`. `--ddl=STATEMENT` measures another migration of `loot`.
 */
import type pg from 'pg';
import { startPostgres } from '../../support/processes/postgres.ts';
import { percentile, printTable } from '../measure.ts';
import { count, type Figure, perSecond } from '../scale/figure.ts';
import { openWorld, type World } from '../scale/world.ts';
import { type CountingClient, openStream, pause, post } from '../stage.ts';
import { noteCount, watcher } from './rows.ts';

const defaultRows = 100_000;
const defaultMigration = 'ALTER TABLE loot ADD COLUMN w int DEFAULT 7';
const wantedChanges = 2_000;
const rowsAtOnce = 50;
const markedEveryMs = 100;
/** The time in milliseconds for the lags before and after the copy. */
const calm = 10_000;
/** The service notices a migration within ten seconds. */
const noticedWithin = 30_000;

const tablesOf = (rows: number) => `CREATE TABLE loot (id int PRIMARY KEY, v int);
  INSERT INTO loot SELECT n, n % 1000 FROM generate_series(1, ${rows}) n;
  CREATE TABLE quiet (id int PRIMARY KEY, v int);
  INSERT INTO quiet SELECT n, n FROM generate_series(1, 1000) n;
  CREATE TABLE notes (id text PRIMARY KEY, owner text, body text);
  INSERT INTO notes SELECT 'n' || n, 'owner-' || n % 100, 'x' FROM generate_series(1, ${noteCount}) n;
  INSERT INTO notes VALUES ('${watcher}', '${watcher}', '')`;

const config = `config:
  edition: 3
streams:
  notes:
    auto_subscribe: true
    query: SELECT id, owner, body FROM notes WHERE owner = auth.user_id()
  loot:
    query: SELECT * FROM loot
  quiet:
    query: SELECT * FROM quiet
`;

export async function bench(): Promise<void> {
  const flag = (name: string) =>
    process.argv.find((arg) => arg.startsWith(`--${name}=`))?.slice(name.length + 3);
  const rows = Number(flag('rows') ?? defaultRows);
  const source = await startPostgres();
  try {
    const world = await openWorld(source, {
      tables: tablesOf(rows),
      verification: { percent_of_time: 0 },
    });
    const clients = [await source.client(world.database), await source.client(world.database)] as const;
    try {
      await world.deploy(config);
      const figures = await copyAgain(world, clients, flag('ddl') ?? defaultMigration);
      printTable(
        `Copying a table again: embedded storage, ${count(rows)} rows`,
        ['what', 'measured', 'wanted'],
        figures.map(({ what, measured, wanted = '' }) => [what, measured, wanted]),
      );
    } finally {
      for (const client of clients) await client.end();
      await world.close();
    }
  } finally {
    await source.stop();
  }
}

async function copyAgain(
  world: World,
  [writer, marker]: readonly [pg.Client, pg.Client],
  migration: string,
): Promise<readonly Figure[]> {
  const stop = new AbortController();
  const watching = await openStream(world.service, watcher);
  await watching.completed();
  const start = performance.now();
  const changing = change(writer, stop.signal);
  const marking = mark(watching, marker, stop.signal);
  try {
    await pause(calm);
    const quietBefore = await rowsRead(world, 'quiet');
    const from = performance.now();
    await world.query(migration);
    while (!(await isCopyingAgain(world)) && performance.now() - from < noticedWithin) await pause(100);
    const noticed = performance.now();
    while (await isCopyingAgain(world)) await pause(500);
    const to = performance.now();
    const quiet = (await rowsRead(world, 'quiet')) - quietBefore;
    await pause(calm);
    stop.abort();
    const changes = perSecond(await changing, performance.now() - start);
    const arrivals = await Promise.all(await marking);
    const lags = (begin: number, end: number) =>
      arrivals.flatMap(({ at, lag }) => (at >= begin && at < end ? [lag] : []));
    return [
      {
        what: 'changes of another table meanwhile',
        measured: changes,
        wanted: perSecond(wantedChanges, 1_000),
      },
      { what: 'from the migration until the copy begins', measured: seconds(noticed - from) },
      { what: 'until the copy is complete', measured: seconds(to - noticed) },
      ...lagFigures('before the migration', lags(0, from)),
      ...lagFigures('from the migration to the end of the copy', lags(from, to), '< 1,000 ms'),
      { what: 'rows of a third table that were read', measured: count(quiet), wanted: '0' },
    ];
  } finally {
    stop.abort();
    await Promise.allSettled([changing, marking]);
    watching.close();
  }
}

function lagFigures(when: string, lags: readonly number[], wanted?: string): readonly Figure[] {
  const ms = (value: number) => `${count(value)} ms`;
  return [
    { what: `lag ${when}, p50`, measured: ms(percentile(lags, 50)) },
    { what: '… p99', measured: ms(percentile(lags, 99)), ...(wanted !== undefined && { wanted }) },
    { what: '… at most', measured: ms(percentile(lags, 100)) },
  ];
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1_000).toFixed(1)} s`;
}

/** Changes rows of `notes` that the watching client does not get. Returns the number of changed rows. */
async function change(client: pg.Client, signal: AbortSignal): Promise<number> {
  const start = performance.now();
  const text = `UPDATE notes SET body = $2 WHERE id IN
    (SELECT 'n' || 1 + (k::bigint * 7919) % ${noteCount} FROM generate_series($1::int, $1::int + ${rowsAtOnce - 1}) k)`;
  let changed = 0;
  while (!signal.aborted) {
    await client.query({ name: 'change', text, values: [changed, `changed ${changed}`] });
    changed += rowsAtOnce;
    await pause(Math.max(0, start + (changed * 1_000) / wantedChanges - performance.now()));
  }
  return changed;
}

interface Arrival {
  /** The time of the change, by `performance.now()`. */
  readonly at: number;
  /** The time in milliseconds until the client had it. */
  readonly lag: number;
}

/** Changes the watched row at a fixed rate, also while earlier changes have not arrived yet. */
async function mark(
  watching: CountingClient,
  client: pg.Client,
  signal: AbortSignal,
): Promise<readonly Promise<Arrival>[]> {
  const arrivals: Promise<Arrival>[] = [];
  for (let n = 0; !signal.aborted; n += 1) {
    const text = `marker ${n} of the run`;
    const seen = watching.saw(text);
    const at = performance.now();
    await client.query('UPDATE notes SET body = $1 WHERE id = $2', [text, watcher]);
    arrivals.push(seen.then(() => ({ at, lag: performance.now() - at })));
    await pause(markedEveryMs);
  }
  return arrivals;
}

async function isCopyingAgain({ service }: World): Promise<boolean> {
  const answer = await post(service, '/api/admin/v1/diagnostics', '{}');
  return (await answer.text()).includes('SVC_S1149');
}

async function rowsRead({ query }: World, table: string): Promise<number> {
  const sql = `SELECT seq_tup_read + coalesce(idx_tup_fetch, 0) AS n FROM pg_stat_user_tables WHERE relname = '${table}'`;
  const { rows } = (await query(sql)) as { readonly rows: readonly { readonly n: string }[] };
  return Number(rows[0]?.n);
}
