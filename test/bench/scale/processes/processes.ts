/** Several processes that serve, over one PostgreSQL as storage: what each client, each process and each change costs it. */
import type { TestPostgres } from '../../../support/processes/postgres.ts';
import { median, percentile } from '../../measure.ts';
import { pause } from '../../stage.ts';
import { type Crowd, connectCrowd } from '../crowd.ts';
import { count, type Figure } from '../figure.ts';
import { complete, requestsOf } from '../world.ts';
import { startStorageServer, withoutUpkeep } from './databaseCost.ts';
import { type Fleet, openFleet, type Spent, spentBetween } from './fleet.ts';
import { storedInPostgres } from './stored.ts';

/** The clients of all processes together: readers share a bucket, owners have one each. */
const readers = 1_000;
const owners = 1_000;
/** The number of owners whose rows change in one transaction. */
const touched = 400;
/** `repeated`: as often, changes are measured again; the median is what they cost. */
const rounds = { warmUp: 10, changes: 40, repeated: 3, streamed: 400, wide: 5 };
/** The time in milliseconds after a change in which work still counts. */
const aftermath = 1_300;
/** Connections that nobody needs are closed after 10 s, and closing one costs the database more than a second of nothing. */
const closedAfter = 12_000;
const idleFor = 10_000;

const tables = `CREATE TABLE news (id text PRIMARY KEY, body text);
INSERT INTO news SELECT 'n' || n, repeat('news ', 20) FROM generate_series(1, 10) n;
CREATE TABLE notes (id text PRIMARY KEY, owner text, body text);
INSERT INTO notes SELECT 'o' || n, 'owner-' || n, 'A note' FROM generate_series(0, ${owners - 1}) n`;
const config = `config:
  edition: 3
streams:
  news:
    query: SELECT * FROM news
  notes:
    query: SELECT * FROM notes WHERE owner = auth.user_id()
`;

interface ProcessesGround {
  readonly postgres: TestPostgres;
  readonly program: string | undefined;
  readonly sizes: readonly number[];
}

export async function processes({ postgres, program, sizes }: ProcessesGround): Promise<Figure[]> {
  const storage = await startStorageServer(withoutUpkeep);
  try {
    const figures = await storedInPostgres(postgres, storage, program);
    for (const size of sizes) {
      const fleet = await openFleet({ size, tables, config, program, source: postgres, storage });
      try {
        figures.push(...(await measureFleet(fleet)));
      } finally {
        await fleet.close();
      }
    }
    return figures;
  } finally {
    await storage.stop();
  }
}

async function measureFleet(fleet: Fleet): Promise<Figure[]> {
  const size = fleet.serving.length;
  let crowds: Crowds | undefined;
  const connecting = await spending(fleet, async () => {
    crowds = await connectAll(fleet);
  });
  if (crowds === undefined) throw new Error('Nobody is connected');
  const most = await fleet.meter.connections();
  const change = await changes(fleet, crowds.reading, rounds.changes);
  const streaming = await streamed(fleet, crowds.reading);
  const wide = await wideTransactions(fleet, crowds.touched);
  await pause(closedAfter);
  const idle = await spending(fleet, () => pause(idleFor));
  const few = await fleet.meter.connections();
  await Promise.all([crowds.reading, crowds.touched, crowds.others].map((crowd) => crowd.close()));

  const clients = readers + owners;
  const seconds = idleFor / 1_000;
  const name = `${size} ${size === 1 ? 'process' : 'processes'}`;
  return [
    {
      what: `${name}: one row to ${count(readers)} clients, p99`,
      measured: milliseconds(percentile(change.times, 99)),
    },
    {
      what: '… processor of those that serve, a client',
      measured: `${((change.spent.serving * 1_000) / rounds.changes / readers).toFixed(1)} µs`,
      wanted: '≤ 20 µs',
    },
    {
      what: '… processor of the one that replicates, and of the database',
      measured: each(change.spent, rounds.changes),
    },
    {
      what: `… ${rounds.streamed} rows, one after the other, to ${count(readers)} clients`,
      measured: `${count((rounds.streamed * readers * 1_000) / streaming.elapsed)} rows/s (${((streaming.spent.serving * 1_000) / rounds.streamed / readers).toFixed(1)} µs)`,
    },
    {
      what: `… a transaction over ${touched} buckets of ${count(owners)}, until their clients have it`,
      measured: milliseconds(percentile(wide.times, 50)),
    },
    {
      what: '… of it, the database',
      measured: `${milliseconds(wide.spent.database / rounds.wide)}, ${count(wide.spent.statements / rounds.wide)} statements`,
    },
    {
      what: `… ${count(clients)} clients connect: the database, for each`,
      measured: `${milliseconds(connecting.database / clients)}, ${(connecting.statements / clients).toFixed(1)} statements`,
    },
    {
      what: '… nothing happens: the database, in a second',
      measured: `${milliseconds(idle.database / seconds)}, ${(idle.statements / seconds).toFixed(1)} statements`,
    },
    { what: '… connections to the storage, at most and later', measured: `${most}, ${few}` },
  ];
}

function milliseconds(value: number): string {
  return `${value.toFixed(value < 10 ? 2 : 1)} ms`;
}

function each({ replicating, database, statements }: Spent, changed: number): string {
  return `${milliseconds(replicating / changed)}, ${milliseconds(database / changed)} (${(statements / changed).toFixed(1)} statements)`;
}

interface Crowds {
  readonly reading: Crowd;
  readonly touched: Crowd;
  readonly others: Crowd;
}

async function connectAll(fleet: Fleet): Promise<Crowds> {
  const named = (prefix: string, from: number, to: number) =>
    Array.from({ length: to - from }, (_, n) => `${prefix}-${from + n}`);
  return {
    reading: await spread(fleet, named('reader', 0, readers), 'news'),
    touched: await spread(fleet, named('owner', 0, touched), 'notes'),
    others: await spread(fleet, named('owner', touched, owners), 'notes'),
  };
}

/** Evenly over the processes. */
async function spread({ serving }: Fleet, users: readonly string[], stream: string): Promise<Crowd> {
  const crowds = await Promise.all(
    serving.map(async (service, index) => {
      const own = users.filter((_, at) => at % serving.length === index);
      return connectCrowd(service.port, await requestsOf(service, own, stream), complete);
    }),
  );
  return {
    saw: async (text) => (await Promise.all(crowds.map((crowd) => crowd.saw(text)))).flat(),
    bytes: () => crowds.reduce((sum, crowd) => sum + crowd.bytes(), 0),
    close: async () => {
      await Promise.all(crowds.map((crowd) => crowd.close()));
    },
  };
}

async function changes(fleet: Fleet, crowd: Crowd, wanted: number) {
  const run = async (from: number, to: number): Promise<readonly number[]> => {
    const times: number[] = [];
    for (let n = from; n < to; n += 1) {
      const seen = crowd.saw(`change ${n}.`);
      await fleet.query(`UPDATE news SET body = 'change ${n}.' WHERE id = 'n1'`);
      times.push(...(await seen));
      await pause(20);
    }
    await pause(aftermath);
    return times;
  };
  await run(0, rounds.warmUp);
  const times: number[] = [];
  const all: Spent[] = [];
  for (let round = 0; round < rounds.repeated; round += 1) {
    const from = rounds.warmUp + round * wanted;
    const spent = await spending(fleet, async () => {
      times.push(...(await run(from, from + wanted)));
    });
    all.push(spent);
  }
  return { times, spent: medianSpent(all) };
}

function medianSpent(all: readonly Spent[]): Spent {
  return {
    serving: median(all.map(({ serving }) => serving)),
    replicating: median(all.map(({ replicating }) => replicating)),
    database: median(all.map(({ database }) => database)),
    statements: median(all.map(({ statements }) => statements)),
  };
}

async function streamed(fleet: Fleet, crowd: Crowd) {
  let elapsed = 0;
  const spent = await spending(fleet, async () => {
    const start = performance.now();
    const seen = crowd.saw(`row ${rounds.streamed - 1} of the stream.`);
    for (let n = 0; n < rounds.streamed; n += 1)
      await fleet.query(`UPDATE news SET body = 'row ${n} of the stream.' WHERE id = 'n${(n % 10) + 1}'`);
    await seen;
    elapsed = performance.now() - start;
    await pause(aftermath);
  });
  return { elapsed, spent };
}

async function wideTransactions(fleet: Fleet, crowd: Crowd) {
  const times: number[] = [];
  const spent = await spending(fleet, async () => {
    for (let n = 0; n < rounds.wide; n += 1) {
      const start = performance.now();
      const seen = crowd.saw(`wide ${n}.`);
      await fleet.query(`UPDATE notes SET body = 'wide ${n}.' WHERE substr(id, 2)::int < ${touched}`);
      await seen;
      times.push(performance.now() - start);
      await pause(aftermath);
    }
  });
  return { times, spent };
}

async function spending({ spent }: Fleet, work: () => Promise<void>): Promise<Spent> {
  const before = await spent();
  await work();
  return spentBetween(before, await spent());
}
