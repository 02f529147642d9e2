/**
 * `headwater limits` over a storage with a million entries of lookups and ten thousand users, one of whom is in very many groups;
 * and what it costs that the service counts by itself: rows are written in pairs of runs, with and without the counting.
 */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { forecastLimits, type LimitParts } from '../../server/service/api/limits/limits.ts';
import { openLimitWatch } from '../../server/service/api/limits/limitWatch.ts';
import { openSyncConfigs } from '../../server/service/deployments/syncConfigs.ts';
import { systemClock } from '../../server/service/ground/clock.ts';
import { silentLog } from '../../server/service/ground/log.ts';
import { zeroLsn } from '../../server/service/ground/lsn.ts';
import type { Clock } from '../../server/service/ground/world.ts';
import { openEmbeddedStorage } from '../../server/service/storage/embedded/storage.ts';
import type { ReplicationWriter, RowWrite } from '../../server/service/storage/storage.ts';
import { median, milliseconds, printTable } from './measure.ts';

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
  await write(writer, 0, entries);
  await writer.finishSnapshot(zeroLsn);
  await writer.commit(zeroLsn, {
    activate: () => [{ kind: 'state', id: deployment, state: 'active' }],
    at: 0,
  });
  const parts: LimitParts = {
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
  const cost = await costOfCount(parts, writer);
  await writer.release();
  await storage.close();
  printTable(
    `Limits: ${entries.toLocaleString('en')} entries of lookups, ${users.toLocaleString('en')} users`,
    ['', 'measured', 'target'],
    [
      ['first time', milliseconds(times[0] ?? 0), '< 5 s'],
      ['again', milliseconds(Math.min(...times)), ''],
      ['copying, longer for each count beside it', milliseconds(cost), ''],
      ['of the time from one count of a service to the next', percent(cost / pauses.inService), '< 1 %'],
    ],
  );
}

async function write(writer: ReplicationWriter, from: number, count: number): Promise<void> {
  for (let at = from; at < from + count; at += 1_000) {
    const rows = Array.from({ length: 1_000 }, (_, index) => rowAt(at + index));
    await writer.write({ rows, goesOn: true });
  }
}

/** Milliseconds between two counts here, and at the least in a service: there, the cost could not be seen beside the noise. */
const pauses = { here: 100, inService: 600_000 };
const pairs = 6;
const rowsOfRun = 600_000;

/** The median of how much longer rows take to be written for each count beside them, in milliseconds. */
async function costOfCount(parts: LimitParts, writer: ReplicationWriter): Promise<number> {
  const sleep: Clock['sleep'] = (ms, signal) => systemClock.sleep(Math.min(ms, pauses.here), signal);
  let from = entries;
  const run = async (): Promise<number> => {
    const start = performance.now();
    await write(writer, from, rowsOfRun);
    from += rowsOfRun;
    return performance.now() - start;
  };
  const costs: number[] = [];
  for (let pair = 0; pair < pairs; pair += 1) {
    const before = pair % 2 === 0 ? await run() : undefined;
    const stop = new AbortController();
    let counts = 0;
    const metrics = {
      set: (name: string) => {
        if (name === 'headwater_client_buckets_most') counts += 1;
      },
    };
    const watch = openLimitWatch({ ...parts, clock: { ...systemClock, sleep }, log: silentLog, metrics });
    const watching = watch.run(stop.signal);
    const beside = await run();
    stop.abort();
    await watching;
    const alone = before ?? (await run());
    if (counts > 0) costs.push((beside - alone) / counts);
  }
  return median(costs);
}

/** A member of a group: users have about a hundred each, and the first one has one in twenty of all. */
function rowAt(index: number): RowWrite {
  const user = index % 20 === 0 ? 0 : index % users;
  const lookups = [{ lookup: `0["user-${user}"]`, values: [[`group-${index % groups}`]] }];
  return { table: 1, key: randomUUID(), ops: [], lookups, current: null };
}

function percent(share: number): string {
  return `${(share * 100).toFixed(3)} %`;
}
