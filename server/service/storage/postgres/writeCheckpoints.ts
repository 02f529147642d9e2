/** The write checkpoints of clients, in the PostgreSQL storage. */
import { createListeners } from '../../ground/listeners.ts';
import type { LogPosition } from '../../ground/logPosition.ts';
import type { WriteCheckpointStore } from '../storage.ts';
import { mostWriteCheckpoints, numberAfter, userPartOf } from '../writeCheckpointKeys.ts';
import { answerTogether } from './answerTogether.ts';
import type { Database, Run } from './database.ts';
import { hashOf } from './hash.ts';
import { schema } from './schema.ts';

const table = `${schema}.write_checkpoints`;

interface WriteCheckpointRow {
  readonly number: bigint;
  readonly lsn: LogPosition;
  readonly reached: bigint | undefined;
}

interface WriteCheckpoints extends WriteCheckpointStore {
  /** Deletes write checkpoints that clients asked for before this time. */
  prune(before: number): Promise<number>;
}

export function openWriteCheckpoints(database: Database): WriteCheckpoints {
  const awaited = createListeners<readonly [id: string, lsn: LogPosition]>();
  // Batched, because each client asks when it connects.
  const loadOne = answerTogether(
    async (ids: readonly string[]) => {
      const found = await loadAll(database.run, ids);
      return ids.map((id) => found.get(id));
    },
    { running: 2, items: 1_000 },
  );
  const reachedBy = (id: string, row: WriteCheckpointRow, lsn: LogPosition): bigint | undefined => {
    if (row.lsn <= lsn) return row.number;
    awaited.call([id, row.lsn]);
    return row.reached;
  };
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
    idOf: hashOf,
    reached: async (key, lsn) => {
      const id = hashOf(key);
      const stored = await loadOne(id);
      return stored && reachedBy(id, stored, lsn);
    },
    reachedAmong: async (ids, lsn) => {
      const found = new Map<string, bigint>();
      for (const [id, row] of await loadAll(database.run, ids)) {
        const number = reachedBy(id, row, lsn);
        if (number !== undefined) found.set(id, number);
      }
      return found;
    },
    news: openNews(database.run),
    watchAwaited: (listener) => awaited.watch((told) => listener(...told)),
    prune: async (before) =>
      (await database.run(`DELETE FROM ${table} WHERE requested_at < $1 RETURNING 1`, [before])).length,
  };
}

/** Locks the row, even if it does not exist yet, so that no other transaction changes it before this one ends. */
async function loadAlone(run: Run, key: string): Promise<WriteCheckpointRow | undefined> {
  await run('SELECT pg_advisory_xact_lock(hashtext($1))', [`${table} ${hashOf(key)}`]);
  return load(run, key);
}

async function load(run: Run, key: string): Promise<WriteCheckpointRow | undefined> {
  const [row] = await run<StoredColumns>(`SELECT ${columns} FROM ${table} WHERE hash = $1`, [hashOf(key)]);
  return row && rowOf(row);
}

async function loadAll(run: Run, ids: readonly string[]): Promise<ReadonlyMap<string, WriteCheckpointRow>> {
  const rows = await run<StoredColumns & { hash: string }>(
    `SELECT hash::text, ${columns} FROM ${table} WHERE hash = ANY($1::uuid[])`,
    [ids],
  );
  return new Map(rows.map(({ hash, ...row }) => [idOfHash(hash), rowOf(row)]));
}

/** Returns the id in the form of {@link hashOf}. */
function idOfHash(hash: string): string {
  return hash.replaceAll('-', '');
}

/**
 * Returns the changes that were not visible in the snapshot of the previous call: those of transactions that were running at that
 * time, or began later. Snapshots are used because nothing else orders stored rows by the time at which they become visible.
 */
function openNews(run: Run): NonNullable<WriteCheckpointStore['news']> {
  let before: Snapshot | undefined;
  return async () => {
    const { next, running } = before ?? nowhere;
    const rows = await run<NewsRow>(
      `SELECT snapshot, hash::text, number::text, lsn
       FROM (SELECT txid_current_snapshot()::text AS snapshot) AS now
       LEFT JOIN (
         SELECT hash, number, lsn FROM ${table} WHERE stored_by >= $1
         UNION ALL
         SELECT hash, number, lsn FROM ${table} WHERE stored_by = ANY ($2::bigint[])) AS news ON true`,
      [next, running],
    );
    const isKnown = before !== undefined;
    before = snapshotOf(rows[0]?.snapshot ?? '');
    // If the number has decreased, this is another server, whose count of transactions started again.
    if (!isKnown || before.next < next) return undefined;
    return rows.flatMap(({ hash, number, lsn }) =>
      hash === null ? [] : [{ id: idOfHash(hash), number: BigInt(number), position: lsn }],
    );
  };
}

interface Snapshot {
  /** The first transaction that had not begun yet. */
  readonly next: number;
  readonly running: readonly number[];
}

const nowhere: Snapshot = { next: Number.MAX_SAFE_INTEGER, running: [] };

/** A row of the result. If there is no news, there is one row without a value. */
interface NewsRow extends StoredColumns {
  readonly snapshot: string;
  readonly hash: string | null;
}

/** Reads a snapshot, such as `10:20:10,14`. */
function snapshotOf(text: string): Snapshot {
  const [, next, running = ''] = text.split(':');
  return { next: Number(next), running: running.split(',').filter(Boolean).map(Number) };
}

interface StoredColumns {
  readonly number: string;
  readonly lsn: LogPosition;
  readonly reached: string | null;
}

const columns = 'number::text, lsn, reached_number::text AS reached';

function rowOf({ number, lsn, reached }: StoredColumns): WriteCheckpointRow {
  return { number: BigInt(number), lsn, reached: reached === null ? undefined : BigInt(reached) };
}

async function store(
  run: Run,
  key: string,
  number: bigint,
  lsn: LogPosition,
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
    `INSERT INTO ${table} (hash, number, lsn, reached_number, requested_at, user_hash, stored_by)
       VALUES ($1, $2, $3, $4, $5, $6, txid_current()) ON CONFLICT (hash) DO UPDATE SET number = excluded.number,
       lsn = excluded.lsn, reached_number = excluded.reached_number, requested_at = excluded.requested_at,
       user_hash = excluded.user_hash, stored_by = excluded.stored_by`,
    [hashOf(key), number, lsn, reached ?? null, at, user],
  );
}

/** Whether the position has been reached by the farthest position that was announced to clients. */
async function isReached(run: Run, { lsn }: WriteCheckpointRow): Promise<boolean> {
  const [row] = await run<{ farthest: LogPosition | null }>(
    `SELECT max(last_checkpoint_lsn) AS farthest FROM ${schema}.deployments`,
  );
  const farthest = row?.farthest ?? null;
  return farthest !== null && lsn <= farthest;
}
