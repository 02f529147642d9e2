/**
 * Measures the whole path: a real PostgreSQL, the built service with its embedded storage, and clients that count
 * operations. The limit is the same work done by the source alone, in the same run. If other programs use the machine, the
 * processor time of the service is more meaningful than rows per second. `peers` compares with another service. `--short`
 * runs two rounds.
 */
import { startPostgres, type TestPostgres } from '../support/processes/postgres.ts';
import { median, percentile, printTable } from './measure.ts';
import { becomeActive, download, feed, timeCommits } from './path.ts';
import { openStage, openStream, processorTime, type Stage, type StreamName } from './stage.ts';

const rowCount = 100_000;
const streamed = 50_000;
/**
 * The number of rows that are streamed before the measurement, because Node compiles frequently used code in the first half
 * second.
 */
const warmUp = 20_000;
/**
 * The number of rounds. Each has its own service and tables. The median is reported, because the work takes only a second
 * or two.
 */
const roundCount = process.argv.includes('--short') ? 2 : 5;

export async function bench(): Promise<void> {
  const postgres = await startPostgres();
  try {
    const lines: Line[] = [];
    for (const name of ['owner', 'global'] as const) lines.push(...(await measure(postgres, name)));
    printTable('From the source to clients', ['what', 'ours', 'CPU', limitOf, 'of it'], lines.map(cellsOf));
  } finally {
    await postgres.stop();
  }
}

const limitOf = 'limit of the machine (the source alone)';

interface Line {
  readonly what: string;
  readonly ours: string;
  /** Processor time of the service. */
  readonly processor?: string;
  /** The value for the source alone, in the same run. */
  readonly limit?: string;
  readonly ofLimit?: number;
}

function cellsOf({ what, ours, processor, limit, ofLimit }: Line): string[] {
  return [what, ours, processor ?? '', limit ?? '', ofLimit === undefined ? '' : ofLimit.toFixed(2)];
}

async function measure(postgres: TestPostgres, name: StreamName): Promise<Line[]> {
  const rounds: Round[] = [];
  const more: Line[] = [];
  let peak = 0;
  for (let round = 0; round < roundCount; round += 1) {
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
  return [
    beside(rateLine(`initial replication, ${name}`, rowCount, middle('copying')), {
      count: rowCount,
      ours: middle('copying'),
      alone: middle('reading'),
    }),
    beside(rateLine(`streaming, ${name}`, streamed, middle('following')), {
      count: streamed,
      ours: middle('following'),
      alone: middle('feeding'),
    }),
    rateLine(`catching up a backlog, ${name}`, streamed, middle('catchingUp')),
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
  /** The cost of reading all rows from the source alone. */
  readonly reading: Spent;
  readonly following: Spent;
  readonly feeding: Spent;
  readonly catchingUp: Spent;
}

/**
 * Measures the copy, from the deploy until it is active. Then measures inserts in transactions of 100, until a client has
 * the last one: first while they are being made, which takes a part of the machine for the source, and then a backlog that
 * was made while the service was stopped.
 */
async function replicated(bench: Stage): Promise<Round> {
  const { pid } = bench.service;
  const copying = await spending(bench, () => becomeActive(bench));
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

async function downloaded(bench: Stage, clients: number): Promise<Line> {
  let ops = 0;
  const spent = await spending(bench, async () => {
    ops = await download(bench, clients);
  });
  return rateLine(`first sync, ${clients} clients`, ops, spent);
}

async function latencies(bench: Stage): Promise<Line[]> {
  const { times, commits } = await timeCommits(bench);
  return ([50, 95] as const).map((percent) => {
    const time = percentile(times, percent);
    const commit = percentile(commits, percent);
    return {
      what: `commit to client, p${percent}`,
      ours: `${time.toFixed(1)} ms`,
      limit: `${commit.toFixed(1)} ms`,
      ofLimit: commit / time,
    };
  });
}

/** Times in milliseconds. */
interface Spent {
  readonly elapsed: number;
  /** The processor time of the service. */
  readonly processor: number;
}

async function spending({ service }: Stage, work: () => Promise<void>): Promise<Spent> {
  const before = processorTime(service.pid);
  const start = performance.now();
  await work();
  return { elapsed: performance.now() - start, processor: processorTime(service.pid) - before };
}

function rateLine(what: string, count: number, spent: Spent): Line {
  return {
    what,
    ours: perSecond(count, spent),
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
  };
}
