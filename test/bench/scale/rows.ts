/** Rows: copied from the source, stored, and sent to clients for the first time, beside what the parts of it can do alone. */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { connectCrowd } from './crowd.ts';
import { count, type Figure, perSecond } from './figure.ts';
import { complete, processorFor, requestsOf, type World } from './world.ts';

/** Returns the SQL of tables whose rows have 208 bytes each as JSON. */
export const rowTables = (rows: number) => `
CREATE TABLE items (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), owner_id text, title text, done boolean,
  created_at timestamptz DEFAULT now());
INSERT INTO items (owner_id, title, done)
  SELECT 'owner-' || n % ${Math.ceil(rows / each)}, 'A title of some thirty letters ' || n, n % 2 = 0
  FROM generate_series(1, ${rows}) n;`;

export const rowConfig = `config:
  edition: 3
streams:
  everything:
    query: SELECT * FROM items
`;
export const ownConfig = `config:
  edition: 3
streams:
  own:
    query: SELECT * FROM items WHERE owner_id = auth.user_id()
`;

/** Measures rows that are all in one bucket. */
export async function rows(world: World, total: number): Promise<Figure[]> {
  const raw = rawStorage(total);
  const source = await sourceAlone(world);
  const empty = world.stored();
  let copying = 0;
  const processor = await processorFor(world, async () => {
    copying = await world.deploy(rowConfig);
  });
  const bytes = (world.stored() - empty) / total;
  const big = await download(world, ['reader'], 'everything');
  return [
    {
      what: `initial replication of ${count(total)} rows`,
      measured: `${perSecond(total, copying)} (${((processor * 1_000) / total).toFixed(2)} µs of the processor)`,
      limit: `${perSecond(total, source)} (the source alone)`,
      ratio: (source / copying).toFixed(2),
      wanted: '≥ 100,000/s',
    },
    {
      what: '… storage of a row of 208 bytes',
      measured: `${bytes.toFixed(0)} bytes`,
      limit: `${raw.bytes.toFixed(0)} bytes (SQLite)`,
      ratio: `${(bytes / raw.bytes).toFixed(1)} ×`,
      wanted: '≤ 280 bytes',
    },
    { what: '… SQLite alone, appending them', measured: perSecond(total, raw.append) },
    syncFigure(`first sync, 1 client × ${count(total)} rows`, total, big, raw.scan / total),
  ];
}

/** Rows of each of 100 owners. */
export const each = 3_000;

/** A bucket for each owner, and a client for each bucket. */
export async function shares(world: World, total: number): Promise<Figure[]> {
  const raw = rawStorage(total);
  await world.deploy(ownConfig);
  const owners = Math.ceil(total / each);
  const users = Array.from({ length: owners }, (_, n) => `owner-${n}`);
  const many = await download(world, users, 'own');
  return [syncFigure(`first sync, ${owners} clients × ${count(each)} rows`, total, many, raw.scan / total)];
}

interface Download {
  /** The time in milliseconds. */
  readonly elapsed: number;
  readonly processor: number;
}

async function download(world: World, users: readonly string[], stream: string): Promise<Download> {
  const requests = await requestsOf(world.service, users, stream);
  let elapsed = 0;
  const processor = await processorFor(world, async () => {
    const start = performance.now();
    const crowd = await connectCrowd(world.service.port, requests, complete);
    elapsed = performance.now() - start;
    await crowd.close();
  });
  return { elapsed, processor };
}

function syncFigure(
  what: string,
  operations: number,
  { elapsed, processor }: Download,
  scan: number,
): Figure {
  return {
    what,
    measured: `${perSecond(operations, elapsed)} (${((processor * 1_000) / operations).toFixed(2)} µs of the processor)`,
    limit: `${count(1_000 / scan)}/s (reading SQLite)`,
    ratio: ((scan * operations) / elapsed).toFixed(2),
    wanted: '≥ 900,000/s',
  };
}

/** `append` and `scan` in milliseconds: rows of the same size, as durable as ours. */
export function rawStorage(total: number): {
  readonly bytes: number;
  readonly append: number;
  readonly scan: number;
} {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-bench-'));
  const file = join(folder, 'data.sqlite');
  const database = new DatabaseSync(file);
  try {
    database.exec('PRAGMA page_size = 16384; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
    database.exec('CREATE TABLE rows (id INTEGER PRIMARY KEY, text TEXT)');
    const insert = database.prepare('INSERT INTO rows (text) VALUES (?)');
    const text = 'x'.repeat(200);
    const append = timeOf(() => {
      for (let from = 0; from < total; from += 10_000) {
        database.exec('BEGIN');
        for (let n = 0; n < 10_000; n += 1) insert.get(`${String(from + n).padStart(8)}${text}`);
        database.exec('COMMIT');
      }
    });
    const select = database.prepare('SELECT text FROM rows');
    select.setReturnArrays(true);
    const scan = timeOf(() => {
      for (const _ of select.iterate());
    });
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    return { bytes: statSync(file).size / total, append, scan };
  } finally {
    database.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Milliseconds in which PostgreSQL writes the rows to a reader that throws them away. */
async function sourceAlone({ query }: World): Promise<number> {
  const start = performance.now();
  await query('COPY items TO STDOUT');
  return performance.now() - start;
}

function timeOf(work: () => void): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}
