/** `headwater limits` over a storage with a million entries of lookups and ten thousand users; one of them is in very many groups. */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { forecastLimits } from '../../server/service/api/limits/limits.ts';
import { openSyncConfigs } from '../../server/service/deployments/syncConfigs.ts';
import { silentLog } from '../../server/service/ground/log.ts';
import { zeroLsn } from '../../server/service/ground/lsn.ts';
import { openEmbeddedStorage } from '../../server/service/storage/embedded/storage.ts';
import type { RowWrite } from '../../server/service/storage/storage.ts';
import { milliseconds, printTable } from './measure.ts';

const entries = 1_000_000;
const users = 10_000;
const groups = 50_000;

const config = `
config: { edition: 3 }
streams:
  everything:
    query: SELECT * FROM settings
  lists:
    query: SELECT * FROM lists WHERE id IN (SELECT list FROM members WHERE user_id = auth.user_id())
  notes:
    query: SELECT * FROM notes WHERE list IN (SELECT list FROM members WHERE user_id = auth.user_id())
  own:
    query: SELECT * FROM notes WHERE author = auth.user_id()
`;

export async function bench(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-bench-'));
  try {
    await measure(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measure(folder: string): Promise<void> {
  const storage = await openEmbeddedStorage(folder, { log: silentLog });
  const { deployments, countRows } = storage;
  const records = await deployments.change(() => [
    { kind: 'insert', content: config, storageVersion: 2, slotNameOf: (id) => `bench_${id}`, at: 0 },
  ]);
  const deployment = records.at(-1)?.id ?? 0;
  const writer = await storage.writer(deployment);
  if (writer === undefined) throw new Error('Another process writes');
  for (let from = 0; from < entries; from += 1_000) {
    const rows = Array.from({ length: 1_000 }, (_, index) => rowAt(from + index));
    await writer.write({ rows, goesOn: true });
  }
  await writer.finishSnapshot(zeroLsn);
  await writer.commit(zeroLsn, {
    activate: () => [{ kind: 'state', id: deployment, state: 'active' }],
    at: 0,
  });
  const parts = {
    store: deployments,
    configs: openSyncConfigs('public'),
    storage,
    countRows,
    limits: { buckets: 1_000, results: 1_000 },
  };
  const times: number[] = [];
  for (let run = 0; run < 3; run += 1) {
    const start = performance.now();
    await forecastLimits(parts, { rest: async () => {} });
    times.push(performance.now() - start);
  }
  await writer.release();
  await storage.close();
  printTable(
    `Limits: ${entries.toLocaleString('en')} entries of lookups, ${users.toLocaleString('en')} users`,
    ['', 'time', 'target'],
    [
      ['first time', milliseconds(times[0] ?? 0), '< 5 s'],
      ['again', milliseconds(Math.min(...times)), ''],
    ],
  );
}

/** A member of a group: users have about a hundred each, and the first one has one in twenty of all. */
function rowAt(index: number): RowWrite {
  const user = index % 20 === 0 ? 0 : index % users;
  const lookups = [{ lookup: `0["user-${user}"]`, values: [[`group-${index % groups}`]] }];
  return { table: 1, key: randomUUID(), ops: [], lookups, current: null };
}
