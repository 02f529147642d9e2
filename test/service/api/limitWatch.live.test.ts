import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openLimitWatch } from '../../../server/service/api/limits/limitWatch.ts';
import { openSyncConfigs } from '../../../server/service/deployments/syncConfigs.ts';
import { silentLog } from '../../../server/service/ground/log.ts';
import { startSyncing } from '../../support/clients/syncing.ts';

const day = 24 * 60 * 60_000;

test('a client near the limit is reported with its growth, and in metrics for Prometheus', async () => {
  const syncing = await startSyncing();
  const add = (from: number, to: number) =>
    syncing.source.commit((t) => {
      for (let i = from; i < to; i += 1) t.insert('lists', { id: `l${i}`, owner: 'ada' });
    });
  add(0, 4);
  await syncing.deploy(`
config: { edition: 3 }
streams:
  todos:
    query: SELECT * FROM todos WHERE list IN (SELECT id FROM lists WHERE owner = auth.user_id())
`);
  const { storage } = syncing;
  const gauges = new Map<string, number>();
  let time = 0;
  const pauses: number[] = [];
  let goOn = (): void => {};
  let arrive = (): void => {};
  const clock = {
    now: () => time,
    steady: () => time,
    sleep: async (ms: number) => {
      time += ms;
      if (ms < 1_000) return setImmediate();
      pauses.push(ms);
      arrive();
      await new Promise<void>((resolve) => {
        goOn = resolve;
      });
    },
  };
  /** Counts once, up to the next pause. Returns the most buckets of a client. */
  const count = async () => {
    const pausing = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    goOn();
    await pausing;
    return gauges.get('headwater_client_buckets_most');
  };
  const watch = openLimitWatch({
    store: storage.deployments,
    configs: openSyncConfigs('public'),
    storage,
    countRows: storage.countRows,
    limits: { buckets: 10, results: 10 },
    clock,
    log: silentLog,
    metrics: { set: (name, value) => void gauges.set(name, value) },
  });
  const stop = new AbortController();
  const running = watch.run(stop.signal);
  await expect.poll(() => pauses.length).toBe(1);
  expect(await count()).toBe(4);
  expect(watch.warnings()).toEqual([]);
  time += day;
  add(4, 9);
  await expect.poll(count).toBe(9);
  expect(watch.warnings()).toMatchObject([
    {
      level: 'warning',
      code: 'SVC_S2305',
      message: expect.stringMatching(
        /^A client with auth\.user_id\(\) = "ada" has 9 of the 10 buckets.*At the current growth, it reaches 10 in about/,
      ),
    },
  ]);
  expect(gauges.get('headwater_client_reference_results_most')).toBe(9);
  expect(Math.min(...pauses.slice(1))).toBeGreaterThanOrEqual(600_000);
  add(9, 12);
  await expect.poll(count).toBe(12);
  expect(watch.warnings()[0]?.message).toMatch(/has 12 of the 10 buckets.*Streams are left out for it/);
  stop.abort();
  goOn();
  await running;
});
