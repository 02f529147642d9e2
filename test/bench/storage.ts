/**
 * Compares the embedded storage with the PostgreSQL storage: operations written durably, together with the stored state of
 * their rows; operations read in pages, as for a client; and checksums of a million operations. The PostgreSQL server runs
 * on the same machine with its ordinary settings, and waits for the disk as the embedded storage does. `--short` uses less
 * than a third of the operations.
 */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../server/service/ground/clock.ts';
import { silentLog } from '../../server/service/ground/log.ts';
import { firstPosition } from '../../server/service/ground/logPosition.ts';
import { openLogFile } from '../../server/service/storage/embedded/logFile.ts';
import { openEmbeddedStorage } from '../../server/service/storage/embedded/storage.ts';
import { openPostgresStorage } from '../../server/service/storage/postgres/storage.ts';
import type {
  BucketPosition,
  BucketReader,
  OpId,
  RowWrite,
  Storage,
} from '../../server/service/storage/storage.ts';
import { postgresPrograms, startPostgres, usualBatch } from '../support/processes/postgres.ts';
import { milliseconds, printTable, ratio } from './measure.ts';
import { rawStorage } from './scale/rows.ts';

const total = process.argv.includes('--short') ? 300_000 : 1_000_000;
const bucketCount = 1_000;
/**
 * Copying writes `rows` rows at once, and makes them durable after every `durable` rows. Streaming makes a checkpoint after
 * every `rows` rows.
 */
const copy = { rows: 1_000, durable: 10_000 };
const stream = { rows: 100, total: 10_000 };

interface Measurement {
  readonly copied: number;
  readonly streamed: number;
  readonly scanned: number;
  readonly scannedAgain: number;
  readonly sums: number;
}

export async function bench(): Promise<void> {
  const embedded = await measureEmbedded();
  const postgres = postgresPrograms.kind === 'missing' ? undefined : await measurePostgres();
  const raw = rawStorage(total);
  const appended = (total / raw.append) * 1_000;
  const read = (total / raw.scan) * 1_000;
  const row = (
    what: string,
    unit: (value: number) => string,
    part: keyof Measurement,
    { limit, target = '' }: { readonly limit?: number; readonly target?: string } = {},
  ) => {
    const [ours, theirs] = [embedded[part], postgres?.[part]];
    const [more, less] = [Math.max(ours, theirs ?? 0), Math.min(ours, theirs ?? 0)];
    return [
      what,
      unit(ours),
      theirs === undefined ? '–' : unit(theirs),
      less ? ratio(more, less) : '',
      ...(limit === undefined ? ['', ''] : [unit(limit), (ours / limit).toFixed(2)]),
      target,
    ];
  };
  printTable(
    `Storage: ${total.toLocaleString('en')} operations in ${bucketCount.toLocaleString('en')} buckets`,
    ['', 'embedded', 'PostgreSQL', 'ratio', 'limit of the machine (SQLite alone)', 'of it', 'target'],
    [
      row('copied, durable every 10,000 rows', perSecond, 'copied', {
        limit: appended,
        target: '≥ 60,000/s',
      }),
      row('streamed, a checkpoint every 100 rows', perSecond, 'streamed'),
      row('read in pages, first time', perSecond, 'scanned', { limit: read }),
      row('read in pages, again', perSecond, 'scannedAgain', { limit: read, target: '≥ 600,000/s' }),
      row('checksums of all buckets', milliseconds, 'sums'),
    ],
  );
}

async function measureEmbedded(): Promise<Measurement> {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-bench-'));
  // Options of a service without workers.
  const open = () => openEmbeddedStorage(folder, { log: silentLog }, { openLog: openLogFile });
  try {
    return await measure(open);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measurePostgres(): Promise<Measurement> {
  const durable = { fsync: 'on', full_page_writes: 'on', shared_buffers: '128MB', max_wal_size: '1GB' };
  const postgres = await startPostgres(durable);
  const world = { clock: systemClock, log: silentLog };
  try {
    return await measure(() => openPostgresStorage({ ...postgres.connection(), batch: usualBatch }, world));
  } finally {
    await postgres.stop();
  }
}

async function measure(open: () => Promise<Storage>): Promise<Measurement> {
  let storage = await open();
  const records = await storage.deployments.change(() => [
    { kind: 'insert', content: '', storageVersion: 2, deploymentNameOf: (id) => `bench_${id}`, at: 0 },
  ]);
  const deployment = records.at(-1)?.id ?? 0;
  const writer = await storage.writer(deployment);
  if (writer === undefined) throw new Error('Another process writes');
  const names = Array.from({ length: bucketCount }, (_, index) => `${deployment}#by_project|0["${index}"]`);
  const write = async (
    count: number,
    batch: number,
    store: (rows: RowWrite[], end: number) => Promise<unknown>,
  ) => {
    let time = 0;
    for (let start = 0; start < count; start += batch) {
      const rows = Array.from({ length: batch }, (_, index) =>
        rowIn(names[(start + index) % bucketCount] ?? ''),
      );
      time += await timeOf(() => store(rows, start + batch));
    }
    return (count / time) * 1_000;
  };

  const copied = await write(total, copy.rows, (rows, end) =>
    writer.write({ rows, goesOn: end % copy.durable !== 0 }),
  );
  await writer.finishSnapshot(firstPosition);
  let checkpoint: OpId = 0;
  const streamed = await write(stream.total, stream.rows, async (rows) => {
    await writer.write({ rows, goesOn: true });
    checkpoint = await publish(writer);
  });
  await writer.release();

  // The storage is opened again, so that no cache from writing is left.
  await storage.close();
  storage = await open();
  const reader = storage.reader(deployment);
  const scanned = await scan(reader, checkpoint, names);
  const scannedAgain = await scan(reader, checkpoint, names);
  const sums = await timeOf(() => reader.checksums(checkpoint, names));
  await storage.close();
  return { copied, streamed, scanned, scannedAgain, sums };
}

function rowIn(bucket: string): RowWrite {
  const key = randomUUID();
  const data = JSON.stringify({
    id: key,
    title: 'Water the garden',
    note: 'front and back, '.repeat(4),
    done: 0,
  });
  return {
    table: 1,
    key,
    ops: [{ bucket, op: 'PUT', checksum: 3_145_345_093, type: 'todos', id: key, subkey: `1/${key}`, data }],
    lookups: [],
    current: { values: undefined, memberships: [{ bucket, type: 'todos', id: key }], lookups: [] },
  };
}

type Writer = NonNullable<Awaited<ReturnType<Storage['writer']>>>;

async function publish(writer: Writer): Promise<OpId> {
  const { checkpoint } = await writer.commit(firstPosition, { activate: () => [], at: 0 });
  return checkpoint?.opId ?? 0;
}

/** Returns the number of operations that are read per second. */
async function scan(reader: BucketReader, checkpoint: OpId, buckets: readonly string[]): Promise<number> {
  let positions: readonly BucketPosition[] = buckets.map((bucket) => ({ bucket, after: 0 }));
  let count = 0;
  const time = await timeOf(async () => {
    for (;;) {
      const page = await reader.read(checkpoint, positions);
      const last = page.at(-1);
      if (last === undefined) return;
      count += page.reduce((sum, chunk) => sum + chunk.count, 0);
      const at = positions.findIndex(({ bucket }) => bucket === last.bucket);
      const rest = positions.slice(at + 1);
      positions = last.hasMore ? [{ bucket: last.bucket, after: last.nextAfter }, ...rest] : rest;
    }
  });
  return (count / time) * 1_000;
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const begin = performance.now();
  await work();
  return performance.now() - begin;
}

function perSecond(rate: number): string {
  return `${Math.round(rate).toLocaleString('en')}/s`;
}
