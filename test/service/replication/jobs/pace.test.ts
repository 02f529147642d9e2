/** Copies in memory that are paused, resumed, slowed and given up. */
import { afterEach, describe, expect, test } from 'vitest';
import { openPace } from '../../../../server/service/replication/jobs/pace.ts';
import { createManualClock } from '../../../support/service/manualClock.ts';
import { createReplicating, type Replicating } from '../../../support/service/replication.ts';

describe('a pace', () => {
  const never = new AbortController().signal;

  test('rests for as long as the rows that were read should take', async () => {
    const clock = createManualClock();
    const pace = openPace(clock);
    pace.set({ rowsPerSecond: 100 });
    pace.spend(50);
    expect(pace.isLongRest()).toBe(false);
    pace.spend(250);
    expect(pace.isLongRest()).toBe(true);
    let isOver = false;
    const resting = pace.rest(never).then(() => {
      isOver = true;
    });
    await clock.advance(2_999);
    expect(isOver).toBe(false);
    await clock.advance(1);
    await resting;
    expect(isOver).toBe(true);
  });

  test('without a rate rests only while it is paused, and continues at once when it is resumed', async () => {
    const clock = createManualClock();
    const pace = openPace(clock);
    pace.spend(1_000_000);
    expect(pace.isLongRest()).toBe(false);
    await pace.rest(never);
    pace.set({ isPaused: true });
    const resting = pace.rest(never);
    await clock.advance(10_000_000);
    await pace.restUnlessPaused(never);
    pace.set(undefined);
    await resting;
  });

  test('takes effect as soon as it is set, and a pause ends a rest for the rate', async () => {
    const pace = openPace(createManualClock());
    pace.set({ rowsPerSecond: 1 });
    pace.spend(1_000_000);
    const [all, rate] = [pace.rest(never), pace.restUnlessPaused(never)];
    pace.set({ rowsPerSecond: 1, isPaused: true });
    await rate;
    pace.set({ rowsPerSecond: 2 });
    await all;
  });

  test('ends its rest with the job', async () => {
    const pace = openPace(createManualClock());
    pace.set({ isPaused: true });
    const job = new AbortController();
    const resting = pace.rest(job.signal);
    job.abort();
    await resting;
  });
});

const streamOf = (name: string, query: string) =>
  `  ${name}:\n    auto_subscribe: true\n    query: ${query}\n`;
const mine = streamOf('mine', 'SELECT id, owner FROM todos WHERE owner = auth.user_id()');
const all = streamOf('all', 'SELECT id, owner FROM todos');
const configOf = (...streams: readonly string[]) => `config:\n  edition: 3\nstreams:\n${streams.join('')}`;

let replicating: Replicating | undefined;
afterEach(async () => {
  await replicating?.stop();
});

/** `whole`: the copy has its own slot and replaces the active deployment. */
describe.each(['whole', 'beside'] as const)('a copy, %s', (kind) => {
  const next = kind === 'whole' ? configOf(mine) : configOf(mine, all);
  const isActive = ({ deployment }: Replicating) =>
    kind === 'whole' ? deployment(2).state === 'active' : deployment(1).content === next;

  /** Pauses the copy when some of its ten pages are stored. */
  async function pauseAmid(identityKind: 'default' | 'index' = 'default') {
    const opened = createReplicating();
    replicating = opened;
    const { source, deployer, start, reach, replicator, until } = opened;
    source.createTable({ name: 'todos', identityKind });
    source.commit((t) => {
      for (let n = 10; n < 40; n += 1) t.insert('todos', { id: `t${n}`, owner: n < 20 ? 'ada' : 'ben' });
    });
    await deployer.deploy(configOf(mine));
    start();
    await reach();
    let pages = 0;
    source.onPage = () => {
      pages += 1;
      if (pages === 3) void deployer.control({ kind: 'pause' }, undefined);
    };
    await (kind === 'whole' ? deployer.reprocess() : deployer.deploy(next));
    const status = () => replicator.status().find(({ deployment }) => deployment === 2)?.progress;
    const rows = () => status()?.copy?.rows ?? 0;
    await until(() => pages >= 3 && opened.deployment(2).pace?.isPaused === true, 'the pause');
    await until(() => status()?.copy?.isPaused === true, 'it to rest');
    return { ...opened, pages: () => pages, rows };
  }

  test('that is paused reads nothing more, and the active config keeps replicating', async () => {
    const { source, reach, pages, rows, deployer, buckets, until, deployment } = await pauseAmid();
    const [read, copied] = [pages(), rows()];
    expect(read).toBeLessThan(9);
    for (let n = 0; n < 20; n += 1) {
      source.commit((t) => t.insert('todos', { id: `z${n}`, owner: 'ada' }));
      await reach();
    }
    expect([pages(), rows()]).toEqual([read, copied]);
    expect(deployment(1)).toMatchObject({ state: 'active', content: configOf(mine) });
    expect(buckets()['1#mine|0["ada"]']).toHaveLength(30);
    await deployer.control({ kind: 'resume' }, undefined);
    await until(() => isActive(opened()), 'it to be active');
    await reach();
    expect(Object.values(buckets()).flat()).toHaveLength(kind === 'whole' ? 50 : 100);
  });

  test('that is paused stays paused after a restart, and later continues where it stopped', async () => {
    const { pages, stop, start, until, deployer, replicator, rows, storage } = await pauseAmid();
    await stop();
    const [read, copied] = [pages(), rows()];
    start();
    await until(() => replicator.status().some(({ deployment }) => deployment === 2), 'the job');
    await until(() => rows() === copied, 'the rows to be known');
    expect(pages()).toBe(read);
    await deployer.control({ kind: 'resume' }, undefined);
    await until(() => isActive(opened()), 'it to be active');
    // Ten pages, and those that were read ahead.
    expect(pages()).toBeLessThanOrEqual(13);
    // A copy beside looks up each row once. Other copies look up none.
    expect(storage.currentRowsAsked).toBe(kind === 'whole' ? 0 : 30);
  });

  test('of a table that cannot be resumed starts again with the first row, and stores no row twice', async () => {
    const { pages, deployer, until, buckets, reach, storage } = await pauseAmid('index');
    const read = pages();
    await deployer.control({ kind: 'resume' }, undefined);
    await until(() => isActive(opened()), 'it to be active');
    expect(pages()).toBeGreaterThanOrEqual(read + 10);
    await reach();
    const stored = [1, 2].flatMap((id) => storage.ops(id).map((op) => `${op.op} ${op.bucket} ${op.id}`));
    expect(stored).toEqual([...new Set(stored)]);
    expect(Object.values(buckets()).flat()).toHaveLength(kind === 'whole' ? 30 : 60);
  });

  test('that is given up while it is paused leaves nothing', async () => {
    const { deployer, until, deployment, storage, source, reach, buckets } = await pauseAmid();
    expect(storage.ops(2).length + storage.ops(1).length).toBeGreaterThan(30);
    await deployer.control({ kind: 'give up' }, 'test_2_a1b2');
    await until(() => deployment(2).state === 'terminated', 'it to be cleared');
    await until(() => deployment(1).hasRest === undefined, 'the rest to be cleared');
    expect([...source.slots.keys()]).toEqual(['test_1_a1b2']);
    expect(storage.ops(2)).toEqual([]);
    await reach();
    expect(Object.keys(buckets())).toEqual(['1#mine|0["ada"]', '1#mine|0["ben"]']);
    await expect(deployer.control({ kind: 'resume' }, undefined)).rejects.toMatchObject({
      code: 'SVC_S4110',
    });
  });

  function opened(): Replicating {
    return replicating as Replicating;
  }
});
