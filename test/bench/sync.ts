/**
 * The whole path: a real PostgreSQL, the built service with its embedded storage, clients that count what they get.
 * The yardstick is the reference service on a machine of two cores, with PostgreSQL as its storage. Its engine is
 * measured in the same run, which tells how fast this machine is just now: the last ratio is what it would be if the
 * machine were as fast as that of the yardstick. Where others use it, the processor time of the service tells more than
 * rows a second do. `--short`: two rounds.
 */
import { startPostgres, type TestPostgres } from '../support/processes/postgres.ts';
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

const rowCount = 100_000;
const streamed = 50_000;
/** Streamed before anything of it is measured: Node compiles what runs often while it runs, in the first half second. */
const warmUp = 20_000;
/** Each with a service and tables of its own; of what is over within a second or two the median counts. */
const roundCount = process.argv.includes('--short') ? 2 : 5;

export async function bench(): Promise<void> {
  const postgres = await startPostgres();
  try {
    const lines: Line[] = [];
    const engine: EngineRates[] = [];
    for (const name of ['owner', 'global'] as const) lines.push(...(await measure(postgres, name, engine)));
    const speed = median(engine.map(speedOf));
    const head = ['what', 'ours', 'reference', 'ratio', 'target', 'at its speed', 'CPU', limitOf, 'of it'];
    printTable(
      'From the source to clients',
      head,
      lines.map((line) => cellsOf(line, speed)),
    );
    printTable(
      `The reference's engine: ${speed.toFixed(2)} of its speed where the yardstick was measured`,
      ['streams', 'rows/s', 'lowest', 'highest', 'yardstick'],
      ([1, 100] as const).map((streams) => {
        const rates = engine.map((each) => each[streams]);
        const shown = [median(rates), Math.min(...rates), Math.max(...rates), yardsticks.engine[streams]];
        return [`${streams}`, ...shown.map((rate) => `${(rate / 1e6).toFixed(2)} M`)];
      }),
    );
  } finally {
    await postgres.stop();
  }
}

const limitOf = 'limit of the machine (the source alone)';

interface Line {
  readonly what: string;
  /** The same by nothing but the source, in the same run. */
  readonly limit?: string;
  readonly ofLimit?: number;
  readonly ours: string;
  readonly reference?: string;
  /** How much better ours is. */
  readonly times?: number;
  readonly target?: string;
  /** Of the service. */
  readonly processor?: string;
  /** Space, not time: it does not depend on the machine. */
  readonly isSpace?: boolean;
}

function cellsOf(
  { what, ours, reference, times, target, processor, isSpace, limit, ofLimit }: Line,
  speed: number,
): string[] {
  const ratio = times === undefined ? '' : `${times.toFixed(1)} ×`;
  const atItsSpeed = times === undefined || isSpace ? '' : `${(times / speed).toFixed(1)} ×`;
  const share = ofLimit === undefined ? '' : ofLimit.toFixed(2);
  return [what, ours, reference ?? '', ratio, target ?? '', atItsSpeed, processor ?? '', limit ?? '', share];
}

/** Rows a second of the reference's engine, by the number of streams. */
type EngineRates = Readonly<Record<1 | 100, number>>;

/** Of the machine, beside that of the yardstick: the mean over a small load and a large one. */
function speedOf(rates: EngineRates): number {
  return Math.sqrt((rates[1] / yardsticks.engine[1]) * (rates[100] / yardsticks.engine[100]));
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

/** @param engine is added to, once a round */
async function measure(postgres: TestPostgres, name: StreamName, engine: EngineRates[]): Promise<Line[]> {
  const rounds: Round[] = [];
  const more: Line[] = [];
  let peak = 0;
  for (let round = 0; round < roundCount; round += 1) {
    engine.push({ 1: referenceRowRate(1), 100: referenceRowRate(100) });
    const bench = await openStage(postgres, name, rowCount);
    try {
      rounds.push(await replicated(bench));
      if (name === 'global' && round === roundCount - 1) {
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
    beside(rateLine(`initial replication, ${name}`, rowCount, middle('copying'), copy, 4), {
      count: rowCount,
      ours: middle('copying'),
      alone: middle('reading'),
    }),
    beside(rateLine(`streaming, ${name}`, streamed, middle('following'), stream, 4), {
      count: streamed,
      ours: middle('following'),
      alone: middle('feeding'),
    }),
    rateLine(`catching up a backlog, ${name}`, streamed, middle('catchingUp'), stream, 4),
    ...more,
    memoryLine(peak, name),
  ];
}

interface Beside {
  readonly count: number;
  readonly ours: Spent;
  readonly alone: Spent;
}

function beside(line: Line, { count, ours, alone }: Beside): Line {
  return { ...line, limit: perSecond(count, alone), ofLimit: alone.elapsed / ours.elapsed };
}

interface Round {
  readonly copying: Spent;
  /** Of all rows, by the source for nobody. */
  readonly reading: Spent;
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
  const reading = await spending(bench, async () => {
    await bench.query('COPY items TO STDOUT');
  });
  const client = await openStream(bench.service, 'owner-0');
  await client.completed();
  const follow = async (rows: number, last: string) => {
    const seen = client.saw(last);
    await feed(bench, rows, last);
    await seen;
  };
  await follow(warmUp, 'the last of the warm-up');
  const following = await spending(bench, () => follow(streamed, 'the last that was followed'));
  process.kill(pid, 'SIGSTOP');
  const feeding = await spending(bench, () => feed(bench, streamed, 'the last of the backlog'));
  const last = client.saw('the last of the backlog');
  const catchingUp = await spending(bench, async () => {
    process.kill(pid, 'SIGCONT');
    await last;
  });
  client.close();
  return { copying, reading, following, feeding, catchingUp };
}

function medianOf(spent: readonly Spent[]): Spent {
  const elapsed = median(spent.map((each) => each.elapsed));
  return { elapsed, processor: median(spent.map((each) => each.processor)) };
}

async function feed({ query }: Stage, rows: number, last: string): Promise<void> {
  for (let n = 0; n < rows / 100; n += 1) await query(insert(100));
  await query(`INSERT INTO items (owner_id, title) VALUES ('owner-0', '${last}')`);
}

async function downloaded(bench: Stage, clients: number): Promise<Line> {
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

async function latencies({ service, query }: Stage): Promise<Line[]> {
  const client = await openStream(service, 'owner-0');
  await client.completed();
  const { rows } = (await query('SELECT id FROM items LIMIT 1')) as { rows: { id: string }[] };
  const id = rows[0]?.id;
  const times: number[] = [];
  const commits: number[] = [];
  for (let n = 0; n < 300; n += 1) {
    const text = `latency ${n} of the run`;
    const seen = client.saw(text);
    // Its execution counts, too: nobody outside sees the moment of its commit.
    const start = performance.now();
    const changed = query(`UPDATE items SET title = '${text}' WHERE id = '${id}'`);
    await Promise.all([changed.then(() => commits.push(performance.now() - start)), seen]);
    times.push(performance.now() - start);
    await pause(10);
  }
  client.close();
  return (['p50', 'p95'] as const).map((name) => {
    const [time = Number.NaN, commit = Number.NaN] = [times, commits].map((all) =>
      percentile(all, Number(name.slice(1))),
    );
    const reference = yardsticks.latency[name];
    return {
      what: `commit to client, ${name}`,
      ours: `${time.toFixed(1)} ms`,
      reference: `${reference} ms`,
      times: reference / time,
      target: name === 'p50' ? '≤ 5 ms' : '≤ 8 ms',
      limit: `${commit.toFixed(1)} ms`,
      ofLimit: commit / time,
    };
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

function rateLine(what: string, count: number, spent: Spent, reference: number, target: number): Line {
  return {
    what,
    ours: perSecond(count, spent),
    reference: `${reference.toLocaleString('en')}/s`,
    times: ((count / spent.elapsed) * 1000) / reference,
    target: `≥ ${target} ×`,
    processor: `${((spent.processor * 1000) / count).toFixed(1)} µs`,
  };
}

function perSecond(count: number, { elapsed }: Spent): string {
  return `${Math.round((count / elapsed) * 1000).toLocaleString('en')}/s`;
}

function memoryLine(peak: number, name: StreamName): Line {
  return {
    what: `memory at its peak, ${name}`,
    ours: `${peak.toFixed(0)} MB`,
    reference: `${yardsticks.memory} MB`,
    times: yardsticks.memory / peak,
    target: '≥ 3 ×',
    isSpace: true,
  };
}
