/**
 * Random transactions while jobs fail at random moments: whatever is published is, bucket by bucket and lookup by
 * lookup, what the config says about the source at the very position of the checkpoint.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import { silentLog } from '../../../../server/service/ground/log.ts';
import { jsonOfChunk } from '../../../../server/service/storage/chunks.ts';
import { openEmbeddedStorage } from '../../../../server/service/storage/embedded/storage.ts';
import type { Checkpoint, Storage } from '../../../../server/service/storage/storage.ts';
import { casesOf } from '../../../support/house/share.ts';
import { createMemorySource, type MemorySource } from '../../../support/service/memorySource.ts';
import { createMemoryStorage } from '../../../support/service/memoryStorage.ts';
import { createReplicating, type Replicating } from '../../../support/service/replication.ts';
import {
  type Change,
  change,
  commit,
  config,
  describe,
  fragile,
  model,
  perform,
  type Step,
  step,
  turns,
} from '../../../support/service/sourceHistories.ts';

let running: Replicating | undefined;
afterEach(() => running?.stop());

const histories = [fc.array(change, { maxLength: 12 }), fc.array(step, { maxLength: 25 })] as const;

test('every checkpoint is a state that the source had, whatever fails in between', async () => {
  await fc.assert(
    fc.asyncProperty(...histories, async (before, steps) => {
      const source = newSource();
      const storage = createMemoryStorage();
      const wrong: string[] = [];
      let checked = 0;
      storage.watch(({ deployment, checkpoint: { opId, position } }) => {
        checked += 1;
        const published = describe(
          storage.contents(deployment, opId),
          storage.lookupValues(deployment, opId),
        );
        const meant = model(source, position, deployment);
        if (published !== meant) wrong.push(`at ${position}:\n${published}\nbut should be\n${meant}`);
      });
      await play(source, storage, (each) => each, before, steps);
      expect(wrong).toEqual([]);
      expect(checked).toBeGreaterThan(0);
    }),
    { seed: 11, numRuns: casesOf(200) },
  );
});

test('so it is with the embedded storage, read back after the fact', async () => {
  await fc.assert(
    fc.asyncProperty(...histories, async (before, steps) => {
      const source = newSource();
      const folder = mkdtempSync(join(tmpdir(), 'headwater-'));
      const storage = await openEmbeddedStorage(folder, { log: silentLog });
      const names = { buckets: new Set<string>(), lookups: new Set<string>() };
      const published: { readonly deployment: number; readonly checkpoint: Checkpoint }[] = [];
      storage.watch((notice) => published.push(notice));
      try {
        await play(source, storage, (each) => collectNames(each, names), before, steps);
        const serving = (await storage.deployments.all()).findLast(({ state }) => state === 'active');
        const checks = published.filter(({ deployment }) => deployment === serving?.id);
        expect(checks.length).toBeGreaterThan(0);
        for (const { deployment, checkpoint } of checks) {
          const read = await readBack(storage, deployment, checkpoint, names);
          expect(read).toBe(model(source, checkpoint.position, deployment));
        }
      } finally {
        await storage.close();
        rmSync(folder, { recursive: true });
      }
    }),
    { seed: 12, numRuns: 8 },
  );
});

function newSource(): MemorySource {
  const source = createMemorySource({ pageSize: 2, transactionsPerChunk: 3, largeFrom: 40 });
  // Copied from the start again after an interruption.
  source.createTable({ name: 'todos', identityKind: 'index' });
  source.createTable({ name: 'lists', identityKind: 'full' });
  source.createTable({ name: 'logs' });
  return source;
}

async function play(
  source: MemorySource,
  storage: Storage,
  through: (storage: Storage) => Storage,
  before: readonly Change[],
  steps: readonly Step[],
): Promise<void> {
  const crash = { in: -1 };
  const replicating = createReplicating({
    source,
    storage,
    through: (each) => through(fragile(each, crash)),
  });
  running = replicating;
  commit(source, before);
  await replicating.deployer.deploy(config);
  replicating.start();
  for (const each of steps) {
    await perform(each, replicating, crash);
    await turns(3);
  }
  crash.in = -1;
  await source.mark();
  await replicating.reach();
  await replicating.stop();
}

interface Names {
  readonly buckets: Set<string>;
  readonly lookups: Set<string>;
}

function collectNames(storage: Storage, { buckets, lookups }: Names): Storage {
  return {
    ...storage,
    writer: async (deployment) => {
      const writer = await storage.writer(deployment);
      if (writer === undefined) return undefined;
      return {
        ...writer,
        write: (batch) => {
          for (const { ops } of batch.rows) for (const { bucket } of ops) buckets.add(bucket);
          for (const row of batch.rows) for (const { lookup } of row.lookups) lookups.add(lookup);
          return writer.write(batch);
        },
      };
    },
  };
}

async function readBack(
  storage: Storage,
  deployment: number,
  { opId }: Checkpoint,
  names: Names,
): Promise<string> {
  const reader = storage.reader(deployment);
  const contents = new Map<string, Map<string, string>>();
  for (const bucket of names.buckets) {
    const rows = new Map<string, string>();
    for (let after = 0, more = true; more; ) {
      const chunks = await reader.read(opId, [{ bucket, after }]);
      more = chunks.length > 0;
      for (const chunk of chunks) {
        after = chunk.nextAfter;
        for (const line of JSON.parse(jsonOfChunk(chunk))) {
          const { op, object_type: type, object_id: id, subkey, data } = line;
          if (op === 'PUT') rows.set(`${type}/${id}/${subkey}`, data);
          else rows.delete(`${type}/${id}/${subkey}`);
        }
      }
    }
    if (rows.size > 0) contents.set(bucket, rows);
  }
  const values = await reader.lookups(opId, [...names.lookups], 100_000);
  // Grouped by lookup, not by row: the model's lists are flattened likewise.
  return describe(
    contents,
    new Map([...values].map(([lookup, sets]) => [lookup, sets.map((set) => JSON.stringify(set)).sort()])),
  );
}
