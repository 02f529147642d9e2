/** The comparison that nobody asks for, over a real storage that is fed by real replication from a source in memory. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { openSyncConfigs } from '../../../server/service/deployments/syncConfigs.ts';
import { silentLog } from '../../../server/service/ground/log.ts';
import type { Clock } from '../../../server/service/ground/world.ts';
import { jsonOfChunk } from '../../../server/service/storage/chunks.ts';
import { openEmbeddedStorage } from '../../../server/service/storage/embedded/storage.ts';
import { openVerifier, type VerifiedTable } from '../../../server/service/verification/verifier.ts';
import { createMemorySource } from '../../support/service/memorySource.ts';
import { createReplicating } from '../../support/service/replication.ts';

const config =
  'config:\n  edition: 3\nstreams:\n  all:\n    auto_subscribe: true\n    query: SELECT * FROM lists\n';

async function start(share: number, rows = 20) {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-verifying-'));
  const storage = await openEmbeddedStorage(folder, { log: silentLog });
  const source = createMemorySource({ pageSize: 100, transactionsPerChunk: 1 });
  source.createTable({ name: 'lists' });
  source.commit((t) => {
    for (let i = 0; i < rows; i += 1) t.insert('lists', { id: `l${i}`, name: `list ${i}` });
  });
  // So much time passes that every checkpoint is made which can be.
  let time = 0;
  const tick = () => {
    time += 1_000;
    return time;
  };
  const replicating = createReplicating({ source, storage, now: tick });
  replicating.start();
  const { id } = await replicating.deployer.deploy(config);
  await replicating.until(() => replicating.deployment(id)?.state === 'active', 'it is active');
  /** Each sleep is done when the test says so. */
  const sleeps: { readonly ms: number; readonly end: () => void }[] = [];
  let now = 0;
  const steady = (): number => {
    now += 1;
    return now;
  };
  const clock: Clock = {
    now: steady,
    steady,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        sleeps.push({ ms, end: resolve });
        signal?.addEventListener('abort', () => resolve());
        // All but the long pauses end at once.
        if (ms < 60_000) setImmediate(resolve);
      }),
  };
  const verified: VerifiedTable[] = [];
  const before: { errand: () => void } = { errand: () => {} };
  const verifier = openVerifier({
    storage,
    store: storage.deployments,
    source,
    clock,
    share,
    log: silentLog,
    configs: openSyncConfigs('public'),
    deployer: replicating.deployer,
    send: (deployment, errand) =>
      replicating.replicator.send(deployment, (replication) => {
        before.errand();
        return errand(replication);
      }),
    onVerified: (table) => verified.push(table),
  });
  const stop = new AbortController();
  const running = verifier.run(stop.signal);
  onTestFinished(async () => {
    stop.abort();
    await running;
    await verifier.close();
    await replicating.stop();
    await storage.close();
    rmSync(folder, { recursive: true });
  });
  const behindItsBack = (sql: string) => {
    const database = new DatabaseSync(join(folder, 'data.sqlite'));
    database.exec(sql);
    database.close();
  };
  /** The long pause is over; resolves with the next one. */
  const nextRound = async () => {
    const long = sleeps.findLast(({ ms }) => ms >= 60_000);
    long?.end();
    await replicating.until(() => sleeps.findLast(({ ms }) => ms >= 60_000) !== long, 'it rests again');
  };
  return { verifier, verified, sleeps, nextRound, behindItsBack, id, source, replicating, storage, before };
}

const forget =
  'DELETE FROM current_rows; DELETE FROM row_places; DELETE FROM new_places; DELETE FROM displaced_rows';

test('is made some minutes after the start, then every day, and mends what it finds', async () => {
  const { verifier, verified, sleeps, nextRound, behindItsBack, id } = await start(0.5);
  expect(sleeps.map(({ ms }) => ms)).toEqual([600_000]);
  expect(verifier.latest(id)).toEqual([]);
  await nextRound();
  expect(verified).toMatchObject([
    { table: 'public.lists', rows: 20, stored: 20, missing: 0, stale: 0, extra: 0 },
  ]);
  expect(sleeps.at(-1)?.ms).toBe(86_400_000);
  behindItsBack(forget);
  await nextRound();
  expect(verifier.latest(id)).toMatchObject([{ stale: 20, repaired: 20 }]);
  await nextRound();
  expect(verifier.latest(id)).toMatchObject([{ stale: 0, repaired: 0 }]);
});

test('rests as long as its share demands', async () => {
  const { sleeps, nextRound } = await start(0.01);
  await nextRound();
  const rests = sleeps.filter(({ ms }) => ms < 60_000 && ms !== 50);
  expect(rests.length).toBeGreaterThan(0);
  // Time passes by a millisecond with each look at the clock: a step was 5 at least.
  for (const { ms } of rests) expect(ms).toBeGreaterThanOrEqual(5 * 99);
});

test('shows clients no mixture of what the source was before and after a repair', async () => {
  const { nextRound, behindItsBack, id, source, storage, before, verifier, replicating } = await start(1);
  const reader = storage.reader(id);
  const seen: Promise<readonly unknown[]>[] = [];
  storage.watch(({ checkpoint: { opId } }) => {
    seen.push(
      reader.read(opId, [{ bucket: `${id}#all|0[]`, after: 0 }]).then((chunks) => {
        const names = new Map<string, string>();
        for (const op of chunks.flatMap((chunk) => JSON.parse(jsonOfChunk(chunk))))
          if (op.op === 'PUT') names.set(op.object_id, JSON.parse(op.data).name);
        return ['l0', 'l1'].map((row) => names.get(row));
      }),
    );
  });
  source.commit((t) => {
    for (const row of ['l0', 'l1']) t.update('lists', row, { name: 'as before' });
  });
  await replicating.reach();
  behindItsBack(`DELETE FROM current_rows WHERE instr(packed, CAST('l0' AS BLOB)) > 0;
    DELETE FROM row_places WHERE row NOT IN (SELECT id FROM current_rows);
    DELETE FROM new_places WHERE row NOT IN (SELECT id FROM current_rows)`);
  let errands = 0;
  before.errand = () => {
    errands += 1;
    // The first one asks how far replication is, the second one repairs: it sees what the stream has not sent yet.
    if (errands !== 2) return;
    source.commit((t) => t.update('lists', 'l1', { name: 'between' }));
    source.commit((t) => {
      for (const row of ['l0', 'l1']) t.update('lists', row, { name: 'changed' });
    });
  };
  await nextRound();
  expect(verifier.latest(id)).toMatchObject([{ stale: 1, repaired: 1 }]);
  const pairs = (await Promise.all(seen)).map((names) => names.join(', '));
  expect(pairs.at(-1)).toBe('changed, changed');
  const states = ['as before, as before', 'as before, between', 'changed, changed'];
  for (const pair of pairs) expect(states).toContain(pair);
});

test('leaves many wrong rows to whoever asks for it', async () => {
  const { verifier, nextRound, behindItsBack, id } = await start(1, 1_100);
  behindItsBack(forget);
  await nextRound();
  expect(verifier.latest(id)).toMatchObject([{ stale: 1_100, repaired: 0 }]);
  const { id: asked } = await verifier.begin('repair');
  while (!verifier.find(asked)?.isDone) await new Promise((resolve) => setImmediate(resolve));
  expect(verifier.latest(id)).toMatchObject([{ stale: 1_100, repaired: 1_100 }]);
});

test('is never made where its share is 0', async () => {
  const { sleeps } = await start(0);
  expect(sleeps).toEqual([]);
});

test('copies everything again where an operation is gone', async () => {
  const { verifier, nextRound, behindItsBack, id, replicating } = await start(1);
  behindItsBack('DELETE FROM runs WHERE first_op = (SELECT min(first_op) FROM runs)');
  await nextRound();
  expect(verifier.latest(id)).toMatchObject([{ table: 'public.lists' }]);
  await replicating.until(() => replicating.deployment(id + 1)?.state === 'active', 'the new copy is active');
});
