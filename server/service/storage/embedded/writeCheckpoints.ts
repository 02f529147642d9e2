/** The write checkpoints of clients, in the embedded storage. */
import type { LogPosition } from '../../ground/logPosition.ts';
import type { WriteCheckpointStore } from '../storage.ts';
import { mostWriteCheckpoints, numberAfter, userPartOf } from '../writeCheckpointKeys.ts';
import { type Database, type ReadingDatabase, readInTurn } from './database.ts';

interface WriteCheckpointRow {
  readonly number: bigint;
  readonly lsn: LogPosition;
  readonly reached_number: bigint | null;
}

interface WriteCheckpoints extends WriteCheckpointStore {
  /** Deletes write checkpoints that clients asked for before this time. */
  prune(before: number): Promise<number>;
}

/** The number of keys after which other work gets its turn. */
const keysPerTurn = 500;

const select = 'SELECT number, lsn, reached_number FROM write_checkpoints WHERE user_key = ?';

export function openReachedCheckpoints(
  database: ReadingDatabase,
): Pick<WriteCheckpointStore, 'reached' | 'reachedAmong'> {
  const read = database.reading.prepare(select);
  read.setReadBigInts(true);
  const readReached = (key: string, lsn: LogPosition): bigint | undefined => {
    const stored = read.get(key) as unknown as WriteCheckpointRow | undefined;
    if (stored === undefined) return undefined;
    return stored.lsn <= lsn ? stored.number : (stored.reached_number ?? undefined);
  };
  return {
    reached: (key, lsn) => database.read(() => readReached(key, lsn)),
    reachedAmong: async (keys, lsn) => {
      const found = new Map<string, bigint>();
      for (let start = 0; start < keys.length; start += keysPerTurn) {
        const some = keys.slice(start, start + keysPerTurn);
        await readInTurn(database, () => {
          for (const key of some) {
            const number = readReached(key, lsn);
            if (number !== undefined) found.set(key, number);
          }
        });
      }
      return found;
    },
  };
}

export function openWriteCheckpoints(database: Database): WriteCheckpoints {
  const load = database.writing.prepare(select);
  load.setReadBigInts(true);
  // The farthest position that was announced to clients.
  const published = database.writing.prepareRows('SELECT max(last_checkpoint_lsn) FROM deployments');
  const upsert = database.writing.prepare(
    `INSERT INTO write_checkpoints (user_key, number, lsn, reached_number, requested_at, user_part)
       VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (user_key) DO UPDATE SET number = excluded.number, lsn = excluded.lsn,
       reached_number = excluded.reached_number, requested_at = excluded.requested_at, user_part = excluded.user_part`,
  );
  const touch = database.writing.prepare('UPDATE write_checkpoints SET requested_at = ? WHERE user_key = ?');
  const prune = database.writing.prepare('DELETE FROM write_checkpoints WHERE requested_at < ?');

  const dropOldest = database.writing.prepare(
    `DELETE FROM write_checkpoints WHERE user_key IN (
       SELECT user_key FROM write_checkpoints WHERE user_part = ? ORDER BY lsn DESC LIMIT -1 OFFSET ?)`,
  );

  const store = (
    key: string,
    number: bigint,
    lsn: LogPosition,
    at: number | null,
    before: WriteCheckpointRow | undefined,
  ) => {
    const reached = before && isReached(before) ? before.number : (before?.reached_number ?? null);
    const user = userPartOf(key);
    if (before === undefined) dropOldest.run(user, mostWriteCheckpoints - 1);
    upsert.run(key, number, lsn, reached, at, user);
  };
  const isReached = ({ lsn }: WriteCheckpointRow) => {
    const [farthest] = published.get() as unknown as [LogPosition | null];
    return farthest !== null && lsn <= farthest;
  };

  return {
    create: (key, lsn) =>
      database.transaction(() => {
        const before = load.get(key) as unknown as WriteCheckpointRow | undefined;
        const number = numberAfter(before?.number);
        if (number === undefined) return undefined;
        store(key, number, lsn, null, before);
        return number;
      }),
    request: (key, id, lsn, at) =>
      database.transaction(() => {
        const before = load.get(key) as unknown as WriteCheckpointRow | undefined;
        if (before === undefined || id > before.number) {
          store(key, id, lsn, at, before);
          return { id, needsMark: true };
        }
        if (id === before.number) touch.run(at, key);
        return { id: before.number, needsMark: !isReached(before) };
      }),
    ...openReachedCheckpoints(database),
    prune: (before) => database.transaction(() => Number(prune.run(before).changes)),
  };
}
