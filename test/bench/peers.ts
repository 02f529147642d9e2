/**
 * This service and another one that speaks the same protocol, one after the other in each round: over the same source, with
 * PostgreSQL as storage, and with the same clients.
 *
 *     npm run bench -- peers --reference COMMAND
 *
 * The command starts the other service in the foreground, in a folder of its own, so it names programs by absolute paths. The path of
 * the service config is in POWERSYNC_CONFIG_PATH.
 */
import { dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { startGroup, stopGroup } from '../../scripts/rigs/process.ts';
import { startPostgres, type TestPostgres } from '../support/processes/postgres.ts';
import { median, percentile, printTable } from './measure.ts';
import { becomeActive, download, feed, timeCommits } from './path.ts';
import {
  type BenchService,
  openStage,
  openStream,
  pause,
  type ServicePlace,
  type Stage,
  type StartService,
} from './stage.ts';

const rowCount = 100_000;
const streamed = 20_000;
const roundCount = process.argv.includes('--short') ? 1 : 5;
/** How long the other service may take to answer, in milliseconds. */
const longestStart = 120_000;
/** The number of characters of its output that are kept for an error. */
const mostOutput = 4_000;

export async function bench(): Promise<void> {
  const { values } = parseArgs({
    args: process.argv.slice(3),
    options: { reference: { type: 'string' }, short: { type: 'boolean' } },
  });
  const command = values.reference;
  if (command === undefined) {
    console.error(
      'Name the command that starts the other service: npm run bench -- peers --reference COMMAND',
    );
    process.exitCode = 1;
    return;
  }
  const source = await startPostgres();
  try {
    const rounds: (readonly [ours: Figures, theirs: Figures])[] = [];
    for (let round = 0; round < roundCount; round += 1) {
      const ours = await measure(source);
      rounds.push([ours, await measure(source, (place) => startOther(command, place))]);
    }
    printTable(
      `This service and the one of ${JSON.stringify(command)}`,
      ['what', 'ours', 'the other', 'ratio'],
      (Object.keys(figures) as (keyof Figures)[]).map((name) => rowOf(name, rounds)),
    );
  } finally {
    await source.stop();
  }
}

const figures = {
  copied: { what: 'initial replication', unit: '/s' },
  followed: { what: 'streaming', unit: '/s' },
  downloaded1: { what: 'first sync, 1 client', unit: '/s' },
  downloaded10: { what: 'first sync, 10 clients', unit: '/s' },
  p50: { what: 'commit to client, p50', unit: ' ms' },
  p95: { what: 'commit to client, p95', unit: ' ms' },
} as const;

type Figures = Readonly<Record<keyof typeof figures, number>>;

function rowOf(name: keyof Figures, rounds: readonly (readonly [Figures, Figures])[]): string[] {
  const { what, unit } = figures[name];
  const shown = (value: number) =>
    unit === '/s' ? `${Math.round(value).toLocaleString('en')}/s` : `${value.toFixed(1)} ms`;
  // Greater is better for rates, and less for times.
  const ratios = rounds.map(([ours, theirs]) =>
    unit === '/s' ? ours[name] / theirs[name] : theirs[name] / ours[name],
  );
  return [
    what,
    shown(median(rounds.map(([ours]) => ours[name]))),
    shown(median(rounds.map(([, theirs]) => theirs[name]))),
    `${median(ratios).toFixed(1)} ×`,
  ];
}

async function measure(source: TestPostgres, start?: StartService): Promise<Figures> {
  const storage = await startPostgres();
  let stage: Stage | undefined;
  try {
    stage = await openStage(source, 'global', rowCount, { storage, ...(start && { start }) });
    return await figuresOf(stage);
  } finally {
    await stage?.close();
    await storage.stop();
  }
}

async function figuresOf(stage: Stage): Promise<Figures> {
  const copied = await rateOf(async () => {
    await becomeActive(stage);
    return rowCount;
  });
  const client = await openStream(stage.service, 'owner-0');
  await client.completed();
  const followed = await rateOf(async () => {
    const seen = client.saw('the last row');
    await feed(stage, streamed, 'the last row');
    await seen;
    return streamed;
  });
  client.close();
  const downloaded1 = await rateOf(() => download(stage, 1));
  const downloaded10 = await rateOf(() => download(stage, 10));
  const { times } = await timeCommits(stage);
  const [p50, p95] = [percentile(times, 50), percentile(times, 95)];
  return { copied, followed, downloaded1, downloaded10, p50, p95 };
}

/** Returns how many per second. */
async function rateOf(work: () => Promise<number>): Promise<number> {
  const start = performance.now();
  const count = await work();
  return (count / (performance.now() - start)) * 1000;
}

async function startOther(command: string, { config, port }: ServicePlace): Promise<BenchService> {
  const child = startGroup('bash', ['-c', command], {
    cwd: dirname(config),
    env: { ...process.env, POWERSYNC_CONFIG_PATH: config },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (bytes: Buffer) => {
      output = `${output}${bytes}`.slice(-mostOutput);
    });
  const url = `http://127.0.0.1:${port}`;
  const deadline = performance.now() + longestStart;
  while (!(await answers(url))) {
    if (child.exitCode !== null || performance.now() > deadline) {
      await stopGroup(child);
      throw new Error(`The other service does not answer at ${url}. Its command was: ${command}\n${output}`);
    }
    await pause(200);
  }
  return { url, port, pid: child.pid as number, kill: () => stopGroup(child).then(() => undefined) };
}

async function answers(url: string): Promise<boolean> {
  try {
    await fetch(url);
    return true;
  } catch {
    return false;
  }
}
