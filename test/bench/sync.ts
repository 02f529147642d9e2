/**
 * The whole path: a real PostgreSQL, the built service with its embedded storage, clients that count what they get.
 * The yardstick is the reference service on a machine of two cores, with PostgreSQL as its storage. Its engine is
 * measured in the same run, which tells how fast this machine is just now; where others use it, the processor time of
 * the service tells more than rows a second do.
 */
import { startPostgres, type TestPostgres } from '../support/postgres.ts';
import { referenceRowRate } from './evaluate.ts';
import { median, percentile, printTable } from './measure.ts';
import {
  type CountingClient,
  insert,
  isActive,
  openStage,
  openStream,
  pause,
  processorTime,
  type Stage,
  type StreamName,
} from './stage.ts';

const ROWS = 100_000;
const STREAMED = 50_000;
/** Each with a service and tables of its own; of what is over within a second or two the median counts. */
const ROUNDS = 5;

export async function bench(): Promise<void> {
  const before = engineRates();
  const postgres = await startPostgres();
  try {
    const rows: string[][] = [];
    for (const name of ['owner', 'global'] as const) rows.push(...(await measure(postgres, name)));
    printTable('From the source to clients', ['what', 'ours', 'reference', 'ratio', 'target', 'CPU'], rows);
    const measured = { before, after: engineRates(), 'where the yardstick was measured': yardsticks.engine };
    printTable(
      "The reference's engine, rows/s",
      ['streams', ...Object.keys(measured)],
      ([1, 100] as const).map((streams) => [
        `${streams}`,
        ...Object.values(measured).map((rates) => `${(rates[streams] / 1e6).toFixed(2)} M`),
      ]),
    );
  } finally {
    await postgres.stop();
  }
}

function engineRates(): Readonly<Record<1 | 100, number>> {
  return { 1: referenceRowRate(1), 100: referenceRowRate(100) };
}

/** Of the reference, per second or in milliseconds. */
const yardsticks = {
  copy: { owner: 10_100, global: 13_200 },
  stream: { owner: 11_900, global: 14_600 },
  firstSync: 36_200,
  latency: { p50: 9.3, p95: 12.8 },
  memory: 634,
  engine: { 1: 900_000, 100: 270_000 },
} as const;

async function measure(postgres: TestPostgres, name: StreamName): Promise<string[][]> {
  const rounds: Round[] = [];
  const more: string[][] = [];
  let peak = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const bench = await openStage(postgres, name, ROWS);
    try {
      rounds.push(await replicated(bench));
      if (name === 'global' && round === ROUNDS - 1) {
        for (const clients of [1, 10, 100]) more.push(await downloaded(bench, clients));
        more.push(...(await latencies(bench)));
      }
      peak = Math.max(peak, bench.peak());
    } finally {
      await bench.close();
    }
  }
  const middle = (part: keyof Round) => medianOf(rounds.map((round) => round[part]));
  const copy = yardsticks.copy[name];
  const stream = yardsticks.stream[name];
  return [
    rateLine(`initial replication, ${name}`, ROWS, middle('copying'), copy, 4),
    [`the source alone, ${name}`, perSecond(STREAMED, middle('feeding')), '', '', '', ''],
    rateLine(`streaming, ${name}`, STREAMED, middle('following'), stream, 4),
    rateLine(`catching up a backlog, ${name}`, STREAMED, middle('catchingUp'), stream, 4),
    ...more,
    memoryLine(peak, name),
  ];
}

interface Round {
  readonly copying: Spent;
  readonly following: Spent;
  readonly feeding: Spent;
  readonly catchingUp: Spent;
}

/**
 * From the deploy until it is active. Then inserts in transactions of 100, until the last one is at a client: as they
 * are made, which takes the source a part of the machine, and those that were made while the service stood still.
 */
async function replicated(bench: Stage): Promise<Round> {
  const { pid } = bench.service;
  const copying = await spending(bench, async () => {
    while (!(await isActive(bench))) await pause(20);
  });
  const client = await openStream(bench.service, 'owner-0');
  await client.completed();
  const following = await spending(bench, async () => {
    await feed(bench, 'the last that was followed');
    await client.saw('the last that was followed');
  });
  process.kill(pid, 'SIGSTOP');
  const feeding = await spending(bench, () => feed(bench, 'the last of the backlog'));
  const last = client.saw('the last of the backlog');
  const catchingUp = await spending(bench, async () => {
    process.kill(pid, 'SIGCONT');
    await last;
  });
  client.close();
  return { copying, following, feeding, catchingUp };
}

function medianOf(spent: readonly Spent[]): Spent {
  const elapsed = median(spent.map((each) => each.elapsed));
  return { elapsed, processor: median(spent.map((each) => each.processor)) };
}

async function feed({ query }: Stage, last: string): Promise<void> {
  for (let n = 0; n < STREAMED / 100; n += 1) await query(insert(100));
  await query(`INSERT INTO items (owner_id, title) VALUES ('owner-0', '${last}')`);
}

async function downloaded(bench: Stage, clients: number): Promise<string[]> {
  const opened: CountingClient[] = [];
  const spent = await spending(bench, async () => {
    const opening = Array.from({ length: clients }, () => openStream(bench.service, 'owner-0'));
    opened.push(...(await Promise.all(opening)));
    await Promise.all(opened.map(({ completed }) => completed()));
  });
  const ops = opened.reduce((sum, { ops: count }) => sum + count(), 0);
  for (const client of opened) client.close();
  return rateLine(`first sync, ${clients} clients`, ops, spent, yardsticks.firstSync, 8);
}

async function latencies({ service, query }: Stage): Promise<string[][]> {
  const client = await openStream(service, 'owner-0');
  await client.completed();
  const { rows } = (await query('SELECT id FROM items LIMIT 1')) as { rows: { id: string }[] };
  const id = rows[0]?.id;
  const times: number[] = [];
  for (let n = 0; n < 300; n += 1) {
    const text = `latency ${n} of the run`;
    const seen = client.saw(text);
    // Its execution counts, too: nobody outside sees the moment of its commit.
    const start = performance.now();
    await Promise.all([query(`UPDATE items SET title = '${text}' WHERE id = '${id}'`), seen]);
    times.push(performance.now() - start);
    await pause(10);
  }
  client.close();
  return (['p50', 'p95'] as const).map((name) => {
    const time = percentile(times, Number(name.slice(1)));
    const reference = yardsticks.latency[name];
    const target = name === 'p50' ? '≤ 5 ms' : '≤ 8 ms';
    return [
      `commit to client, ${name}`,
      `${time.toFixed(1)} ms`,
      `${reference} ms`,
      `${(reference / time).toFixed(1)} ×`,
      target,
      '',
    ];
  });
}

/** In milliseconds. */
interface Spent {
  readonly elapsed: number;
  /** Of the service. */
  readonly processor: number;
}

async function spending({ service }: Stage, work: () => Promise<void>): Promise<Spent> {
  const before = processorTime(service.pid);
  const start = performance.now();
  await work();
  return { elapsed: performance.now() - start, processor: processorTime(service.pid) - before };
}

function rateLine(what: string, count: number, spent: Spent, reference: number, target: number): string[] {
  const times = ((count / spent.elapsed) * 1000) / reference;
  const each = `${((spent.processor * 1000) / count).toFixed(1)} µs`;
  const line = [perSecond(count, spent), `${reference.toLocaleString('en')}/s`, `${times.toFixed(1)} ×`];
  return [what, ...line, `≥ ${target} ×`, each];
}

function perSecond(count: number, { elapsed }: Spent): string {
  return `${Math.round((count / elapsed) * 1000).toLocaleString('en')}/s`;
}

function memoryLine(peak: number, name: StreamName): string[] {
  const ratio = `${(yardsticks.memory / peak).toFixed(1)} ×`;
  return [
    `memory at its peak, ${name}`,
    `${peak.toFixed(0)} MB`,
    `${yardsticks.memory} MB`,
    ratio,
    '≥ 3 ×',
    '',
  ];
}
