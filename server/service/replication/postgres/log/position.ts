/** Reads the end of the source's log, and writes marks into it. */
import { randomUUID } from 'node:crypto';
import type { Log } from '../../../ground/log.ts';
import { firstPosition, type LogPosition } from '../../../ground/logPosition.ts';
import { readLsn } from '../lsn.ts';
import type { Queries } from '../queries.ts';

/**
 * The end of the inserted log, which may be ahead of the written log, because transactions with `synchronous_commit = off` are
 * visible before their log is written.
 */
export const logEnd =
  'CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_insert_lsn() END';

export async function readPosition(queries: Queries): Promise<LogPosition> {
  const { lsn } = await queries.one<{ readonly lsn: string }>(`SELECT ${logEnd} AS lsn`);
  return toPosition(lsn);
}

/** Converts the server's text to a position. */
export function toPosition(text: string): LogPosition {
  return readLsn(text) ?? firstPosition;
}

export const markPrefix = 'powersync';

/**
 * Writes a message that every stream receives. The transaction gets an id, so that its commit flushes the log. Otherwise, the
 * message would stay in memory for up to `wal_writer_delay`. The commit waits for this server's disk, regardless of the role's
 * setting, but not for a standby. A read-only server returns no row.
 */
const markSql = `
SELECT set_config('synchronous_commit', 'local', true),
  pg_logical_emit_message(false, '${markPrefix}', $1), txid_current()
WHERE NOT pg_is_in_recovery()`;

/** Writes a mark. A read replica cannot write one, but there the activity of the primary moves the stream. */
export async function emitMark(queries: Queries, log: Log): Promise<void> {
  const rows = await queries.all(markSql, [`ping ${randomUUID()}`]);
  if (rows.length === 0)
    log.write('warn', 'The source is a read replica: marks cannot be written into its log');
}
