/** A deployment that is behind its clients, over a source in memory and a writer that knows the position of the clients. */
import { afterEach, expect, test } from 'vitest';
import { openSyncConfigs } from '../../../../server/service/deployments/syncConfigs.ts';
import { silentLog } from '../../../../server/service/ground/log.ts';
import { firstPosition, type LogPosition } from '../../../../server/service/ground/logPosition.ts';
import { followChanges } from '../../../../server/service/replication/jobs/follow.ts';
import { openPace } from '../../../../server/service/replication/jobs/pace.ts';
import { trackProgress } from '../../../../server/service/replication/jobs/progress.ts';
import type { Errand, Replication } from '../../../../server/service/replication/jobs/replication.ts';
import { numberOf, toLsn } from '../../../../server/service/replication/postgres/lsn.ts';
import { openRowReports } from '../../../../server/service/replication/rows/rowReports.ts';
import type { Decide } from '../../../../server/service/storage/deployment.ts';
import type { ReplicationWriter } from '../../../../server/service/storage/storage.ts';
import { createManualClock } from '../../../support/service/manualClock.ts';
import { createMemorySource } from '../../../support/service/memorySource.ts';
import { turns } from '../../../support/service/sourceHistories.ts';

let stop = async (): Promise<void> => {};
afterEach(() => stop());

test('changes that arrive during a commit become the next checkpoint without a mark', async () => {
  const { source, write, commits, duringCommit } = await follow({ served: 3 });
  duringCommit(write);
  write();
  await turns(10);
  expect(commits).toEqual(['2 put off', '3 active']);
  expect(numberOf(await source.position())).toBe(3n);
});

test('an idle source is marked until the deployment is active, but not continuously', async () => {
  const { source, write, commits, clock, activations } = await follow({ served: 5 });
  write();
  await turns(10);
  expect(commits).toEqual(['2 put off', '3 put off']);
  await clock.advance(100);
  expect(commits).toEqual(['2 put off', '3 put off', '4 put off']);
  expect(activations()).toBe(0);
  await clock.advance(100);
  await turns(10);
  expect(commits.at(-1)).toBe('5 active');
  expect(activations()).toBe(1);
  await clock.advance(60_000);
  expect(numberOf(await source.position())).toBe(5n);
});

test('after ten seconds, clients are moved anyway, with a warning in the log', async () => {
  const { write, commits, clock, activations, warnings } = await follow({ served: 1_000_000 });
  write();
  await turns(10);
  await clock.advance(9_999);
  expect(activations()).toBe(0);
  expect(commits.length).toBeLessThan(110);
  await clock.advance(1);
  await turns(10);
  expect(commits.at(-1)).toMatch(/ active anyway$/);
  expect(activations()).toBe(1);
  expect(warnings).toEqual([
    'A deployment did not catch up with the active one in time: clients may briefly get older rows',
  ]);
});

test('a deployment waits while it is behind the source, because clients would go back by everything that it lacks', async () => {
  const { source, write, commits, clock, activations, warnings, progress } = await follow({
    served: 1_000_000,
  });
  source.tellUpTo(toLsn(2n));
  for (let count = 0; count < 40; count += 1) write();
  for (let told = 2; told < 40; told += 1) {
    source.tellUpTo(toLsn(BigInt(told)));
    await turns(10);
    await clock.advance(1_500);
  }
  expect(commits.at(-1)).toBe('39 put off');
  expect(progress.snapshot().waitingFor).toMatch(/^Clients have newer rows/);
  // The stream catches up, and then falls behind again.
  source.tellUpTo(undefined);
  await turns(50);
  await clock.advance(9_000);
  const told = await source.position();
  source.tellUpTo(told);
  for (let count = 0; count < 40; count += 1) write();
  await clock.advance(5_000);
  source.tellUpTo(toLsn(numberOf(told) + 20n));
  await turns(50);
  source.tellUpTo(undefined);
  await turns(50);
  await clock.advance(9_900);
  expect(activations()).toBe(0);
  expect(warnings).toEqual([]);
  await clock.advance(1_200);
  await turns(10);
  expect(activations()).toBe(1);
  expect(warnings).toHaveLength(1);
  expect(progress.snapshot().waitingFor).toBeUndefined();
});

test('an active deployment does not mark the source', async () => {
  const { source, write, commits, clock } = await follow({ served: 0 });
  write();
  write();
  await turns(10);
  await clock.advance(60_000);
  expect(commits).toEqual(['3 active']);
  expect(numberOf(await source.position())).toBe(3n);
});

test('a position is acknowledged only when it is recorded, which happens once a minute if no row changes', async () => {
  const { source, write, commits, clock } = await follow({ served: 0 });
  const acknowledged = () => numberOf(source.slots.get('s')?.confirmed ?? firstPosition);
  write();
  await turns(10);
  expect([commits, acknowledged()]).toEqual([['2 active'], 2n]);
  write();
  await turns(10);
  await clock.advance(59_999);
  write();
  await turns(10);
  expect([commits, acknowledged()]).toEqual([['2 active'], 2n]);
  await clock.advance(1);
  write();
  await turns(10);
  expect([commits, acknowledged()]).toEqual([['2 active', '5 active'], 5n]);
});

test('errands that arrive together all run at one mark, because there may be no other mark', async () => {
  const run: string[] = [];
  const errand = (name: string, outcome: Awaited<ReturnType<Errand>>): Errand => {
    return async () => {
      run.push(name);
      return outcome;
    };
  };
  const errands = [errand('a', 'has only read'), errand('b', 'wrote'), errand('c', 'has only read')];
  const { source, write, commits } = await follow({ served: 0, errands });
  write();
  await turns(10);
  expect(run).toEqual(['a', 'b', 'c']);
  expect(commits).toEqual(['2 active', '3 active']);
  expect(numberOf(await source.position())).toBe(3n);
});

interface Situation {
  /** The position that clients have. */
  readonly served: number;
  readonly errands?: readonly Errand[];
}

async function follow({ served, errands = [] }: Situation) {
  const queue = [...errands];
  const source = createMemorySource({ transactionsPerChunk: 1 });
  const clock = createManualClock();
  const controller = new AbortController();
  const { signal } = controller;
  const config = openSyncConfigs('public').of({ id: 1, content });
  const unheard = { onProgress: () => {}, onWaiting: () => {} };
  const stream = source.stream({ deploymentName: 's', patterns: [], options: config.options, ...unheard });
  await stream.prepare(signal);
  const commits: string[] = [];
  const warnings: string[] = [];
  let during = () => {};
  let activations = 0;
  const writer = scriptedWriter(served, (text) => {
    commits.push(text);
    during();
    during = () => {};
  });
  const progress = trackProgress(clock, () => {});
  const replication: Replication = {
    continuity: {
      reunion: async () => ({ pass: () => {}, isOver: () => true }),
      belong: async () => {},
      origin: undefined,
    },
    deploymentName: 's',
    source,
    stream,
    writer,
    evaluator: config.evaluator,
    served: config.evaluator.tables,
    decisions: { activate, activateAnyway },
    pace: openPace(clock),
    rowsAtOnce: 100,
    progress,
    clock,
    signal,
    reports: openRowReports(silentLog, clock),
    nextErrand: () => queue.shift(),
    log: { write: (level, message) => level === 'warn' && warnings.push(message) },
  };
  const ended = followChanges(replication, () => {
    activations += 1;
  });
  stop = async () => {
    controller.abort();
    await ended;
  };
  return {
    source,
    clock,
    commits,
    warnings,
    progress,
    activations: () => activations,
    write: () => void source.commit(() => {}),
    duringCommit: (what: () => void) => {
      during = what;
    },
  };
}

const content = `config:
  edition: 3
streams:
  mine:
    query: SELECT id FROM todos
`;
const activate: Decide = () => [];
const activateAnyway: Decide = () => [];

/** Makes the writer of a deployment that is pending until it is activated. It has only the methods that these tests need. */
function scriptedWriter(served: number, onCommit: (text: string) => void): ReplicationWriter {
  let isActive = false;
  const commit: ReplicationWriter['commit'] = async (position: LogPosition, options) => {
    const checkpoint = { opId: 0, position };
    const isAnyway = options.activate === activateAnyway;
    const isPutOff = !isActive && !isAnyway && position < toLsn(BigInt(served));
    onCommit(`${numberOf(position)} ${isPutOff ? 'put off' : isAnyway ? 'active anyway' : 'active'}`);
    if (isPutOff) return { published: true, checkpoint, putOff: true };
    const changed = isActive ? {} : { changed: [] };
    isActive = true;
    return { published: true, checkpoint, ...changed };
  };
  const tables: ReplicationWriter['tables'] = async () => [];
  return { commit, tables, isInterrupted: false } as Partial<ReplicationWriter> as ReplicationWriter;
}
