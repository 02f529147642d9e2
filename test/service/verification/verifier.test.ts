/** The automatic comparison, with a real storage that real replication fills from a source in memory. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { openSyncConfigs } from '../../../server/service/deployments/syncConfigs.ts';
import { silentLog } from '../../../server/service/ground/log.ts';
import type { Clock } from '../../../server/service/ground/world.ts';
import type { TableInfo } from '../../../server/service/replication/source.ts';
import { jsonOfChunk } from '../../../server/service/storage/chunks.ts';
import { openEmbeddedStorage } from '../../../server/service/storage/embedded/storage.ts';
import { openVerifier, type VerifiedTable } from '../../../server/service/verification/verifier.ts';
import { createMemorySource } from '../../support/service/memorySource.ts';
import { createReplicating } from '../../support/service/replication.ts';
import { columnIds } from '../../support/service/sourceIds.ts';

const config =
  'config:\n  edition: 3\nstreams:\n  all:\n    auto_subscribe: true\n    query: SELECT * FROM lists\n';

async function start(share: number, rows = 20, info: Partial<TableInfo> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-verifying-'));
  const storage = await openEmbeddedStorage(folder, { log: silentLog });
  const source = createMemorySource({ pageSize: 100, transactionsPerChunk: 1 });
  const shape = { membership: '1', columns: columnIds({ id: 1, name: 2 }) };
  source.createTable({ name: 'lists', shape, ...info });
  source.commit((t) => {
    for (let i = 0; i < rows; i += 1) t.insert('lists', { id: `l${i}`, name: `list ${i}` });
  });
  // Enough time passes that every possible checkpoint is made.
  const time = { passed: 0, step: 1_000 };
  const tick = () => {
    time.passed += time.step;
    return time.passed;
  };
  const replicating = createReplicating({ source, storage, now: tick });
  replicating.start();
  const { id } = await replicating.deployer.deploy(config);
  await replicating.until(() => replicating.deployment(id)?.state === 'active', 'it is active');
  /** The sleeps of the verifier. The test ends them. */
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
        // Short pauses end at once. The test ends the long ones.
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
      replicating.replicator.send(deployment, (replication, compare) => {
        before.errand();
        return errand(replication, compare);
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
  /** Ends the long pause. Resolves when the next one begins. */
  const nextRound = async () => {
    const long = sleeps.findLast(({ ms }) => ms >= 60_000);
    long?.end();
    await replicating.until(() => sleeps.findLast(({ ms }) => ms >= 60_000) !== long, 'it rests again');
  };
  /** Stops the clock, and then changes the definition of the table, so that the replicator does not notice it alone. */
  const redefine = async () => {
    time.step = 0;
    // A comparison of definitions that is already due is made before the second change.
    for (const name of ['as before', 'list 0']) {
      source.commit((t) => t.update('lists', 'l0', { name }));
      await replicating.reach();
    }
    shape.membership = '2';
  };
  const parts = { verifier, verified, sleeps, nextRound, behindItsBack, id, source, replicating, storage };
  return { ...parts, before, redefine };
}

const forget =
  'DELETE FROM current_rows; DELETE FROM row_places; DELETE FROM new_places; DELETE FROM displaced_rows';

test('a comparison runs ten minutes after the start and then every day, and repairs wrong rows', async () => {
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

test('a comparison rests as long as its share of the time requires', async () => {
  const { sleeps, nextRound } = await start(0.01);
  await nextRound();
  const rests = sleeps.filter(({ ms }) => ms < 60_000 && ms !== 50);
  expect(rests.length).toBeGreaterThan(0);
  // Each reading of the clock takes a millisecond, so a step takes at least 5.
  for (const { ms } of rests) expect(ms).toBeGreaterThanOrEqual(5 * 99);
});

test('a repair never shows clients a mixture of states of the source', async () => {
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
    // The first one asks for the position of replication. The second one repairs, and sees changes before the stream sends them.
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

test('many wrong rows are repaired only on request', async () => {
  const { verifier, nextRound, behindItsBack, id } = await start(1, 1_100);
  behindItsBack(forget);
  await nextRound();
  expect(verifier.latest(id)).toMatchObject([{ stale: 1_100, repaired: 0 }]);
  const { id: asked } = await verifier.begin('repair');
  while (!verifier.find(asked)?.isDone) await new Promise((resolve) => setImmediate(resolve));
  expect(verifier.latest(id)).toMatchObject([{ stale: 1_100, repaired: 1_100 }]);
});

test('a table with another definition is copied again without a request, whatever the number of wrong rows', async () => {
  const { verifier, nextRound, behindItsBack, redefine, id } = await start(1, 1_100);
  await redefine();
  behindItsBack(forget);
  await nextRound();
  const changes = [expect.stringContaining('published differently')];
  expect(verifier.latest(id)).toMatchObject([
    { stale: 1_100, changes, repaired: 1_100, isCopiedAgain: true },
  ]);
  await nextRound();
  const [latest] = verifier.latest(id);
  expect(latest).toMatchObject({ rows: 1_100, stored: 1_100, stale: 0, missing: 0, extra: 0 });
  expect(latest).not.toHaveProperty('changes');
});

test.each(['default', 'nothing'] as const)(
  'a table whose rows cannot be identified is not compared if its replica identity is %s',
  async (identityKind) => {
    const { verifier, nextRound, id } = await start(1, 20, { identity: [], identityKind });
    await nextRound();
    const [latest] = verifier.latest(id);
    expect(latest).toMatchObject({ missing: 0, stale: 0, extra: 0, repaired: 0 });
    expect(latest?.skipped).toBe('its rows cannot be distinguished');
  },
);

test('no comparison runs if its share is 0', async () => {
  const { sleeps } = await start(0);
  expect(sleeps).toEqual([]);
});

test('everything is copied again if an operation is lost', async () => {
  const { verifier, nextRound, behindItsBack, id, replicating } = await start(1);
  behindItsBack('DELETE FROM runs WHERE first_op = (SELECT min(first_op) FROM runs)');
  await nextRound();
  expect(verifier.latest(id)).toMatchObject([{ table: 'public.lists' }]);
  await replicating.until(() => replicating.deployment(id + 1)?.state === 'active', 'the new copy is active');
});
