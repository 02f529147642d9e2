import type { Lsn } from '../../ground/lsn.ts';
import type { WriteCheckpointStore } from '../storage.ts';
import { mostWriteCheckpoints, numberAfter, userPartOf } from '../writeCheckpointKeys.ts';
import { answerTogether } from './answerTogether.ts';
import type { Database, Run } from './database.ts';
import { hashOf } from './hash.ts';
import { schema } from './schema.ts';

const table = `${schema}.write_checkpoints`;

interface WriteCheckpointRow {
  readonly number: bigint;
  readonly lsn: Lsn;
  readonly reached: bigint | undefined;
}

interface WriteCheckpoints extends WriteCheckpointStore {
  /** Drops those that a client asked for before this time. */
  prune(before: number): Promise<number>;
}

export function openWriteCheckpoints(database: Database): WriteCheckpoints {
  // Each client that connects asks.
  const loadOne = answerTogether(
    async (keys: readonly string[]) => {
      const found = await loadAll(database.run, keys);
      return keys.map((key) => found.get(key));
    },
    { running: 2, items: 1_000 },
  );
  return {
    create: (key, lsn) =>
      database.transaction(async (run) => {
        const before = await loadAlone(run, key);
        const number = numberAfter(before?.number);
        if (number === undefined) return undefined;
        await store(run, key, number, lsn, null, before);
        return number;
      }),
    request: (key, id, lsn, at) =>
      database.transaction(async (run) => {
        const before = await loadAlone(run, key);
        if (before === undefined || id > before.number) {
          await store(run, key, id, lsn, at, before);
          return { id, needsMark: true };
        }
        if (id === before.number)
          await run(`UPDATE ${table} SET requested_at = $1 WHERE hash = $2`, [at, hashOf(key)]);
        return { id: before.number, needsMark: !(await isReached(run, before)) };
      }),
    reached: async (key, lsn) => {
      const stored = await loadOne(key);
      return stored && reachedOf(stored, lsn);
    },
    reachedAmong: async (keys, lsn) => {
      const found = new Map<string, bigint>();
      for (const [key, row] of await loadAll(database.run, keys)) {
        const number = reachedOf(row, lsn);
        if (number !== undefined) found.set(key, number);
      }
      return found;
    },
    prune: async (before) =>
      (await database.run(`DELETE FROM ${table} WHERE requested_at < $1 RETURNING 1`, [before])).length,
  };
}

/** Nobody else changes it before the transaction ends, also when there is none yet. */
async function loadAlone(run: Run, key: string): Promise<WriteCheckpointRow | undefined> {
  await run('SELECT pg_advisory_xact_lock(hashtext($1))', [`${table} ${hashOf(key)}`]);
  return load(run, key);
}

async function load(run: Run, key: string): Promise<WriteCheckpointRow | undefined> {
  const [row] = await run<StoredColumns>(`SELECT ${columns} FROM ${table} WHERE hash = $1`, [hashOf(key)]);
  return row && rowOf(row);
}

async function loadAll(run: Run, keys: readonly string[]): Promise<ReadonlyMap<string, WriteCheckpointRow>> {
  const byHash = new Map(keys.map((key) => [hashOf(key), key]));
  const rows = await run<StoredColumns & { hash: string }>(
    `SELECT hash::text, ${columns} FROM ${table} WHERE hash = ANY($1::uuid[])`,
    [[...byHash.keys()]],
  );
  const found = new Map<string, WriteCheckpointRow>();
  for (const { hash, ...row } of rows) {
    const key = byHash.get(hash.replaceAll('-', ''));
    if (key !== undefined) found.set(key, rowOf(row));
  }
  return found;
}

interface StoredColumns {
  readonly number: string;
  readonly lsn: Lsn;
  readonly reached: string | null;
}

const columns = 'number::text, lsn, reached_number::text AS reached';

function rowOf({ number, lsn, reached }: StoredColumns): WriteCheckpointRow {
  return { number: BigInt(number), lsn, reached: reached === null ? undefined : BigInt(reached) };
}

function reachedOf({ number, lsn: from, reached }: WriteCheckpointRow, lsn: Lsn): bigint | undefined {
  return from <= lsn ? number : reached;
}

async function store(
  run: Run,
  key: string,
  number: bigint,
  lsn: Lsn,
  at: number | null,
  before: WriteCheckpointRow | undefined,
): Promise<void> {
  const reached = before && (await isReached(run, before)) ? before.number : before?.reached;
  const user = hashOf(userPartOf(key));
  if (before === undefined)
    await run(
      `DELETE FROM ${table} WHERE hash IN (
         SELECT hash FROM ${table} WHERE user_hash = $1 ORDER BY lsn DESC OFFSET $2)`,
      [user, mostWriteCheckpoints - 1],
    );
  await run(
    `INSERT INTO ${table} (hash, number, lsn, reached_number, requested_at, user_hash)
       VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (hash) DO UPDATE SET number = excluded.number,
       lsn = excluded.lsn, reached_number = excluded.reached_number, requested_at = excluded.requested_at,
       user_hash = excluded.user_hash`,
    [hashOf(key), number, lsn, reached ?? null, at, user],
  );
}

/** By the farthest position that was announced to clients. */
async function isReached(run: Run, { lsn }: WriteCheckpointRow): Promise<boolean> {
  const [row] = await run<{ farthest: Lsn | null }>(
    `SELECT max(last_checkpoint_lsn) AS farthest FROM ${schema}.deployments`,
  );
  const farthest = row?.farthest ?? null;
  return farthest !== null && lsn <= farthest;
}
