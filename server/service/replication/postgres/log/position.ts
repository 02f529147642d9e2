/** Reads the end of the source's log, and writes marks into it. */
import { randomUUID } from 'node:crypto';
import type { Log } from '../../../ground/log.ts';
import { type Lsn, readLsn, zeroLsn } from '../../../ground/lsn.ts';
import type { Queries } from '../queries.ts';

/**
 * The end of the inserted log, not only of the written one: transactions with `synchronous_commit = off` are visible before their
 * log is written.
 */
export const logEnd =
  'CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_insert_lsn() END';

export async function readPosition(queries: Queries): Promise<Lsn> {
  const { lsn } = await queries.one<{ readonly lsn: string }>(`SELECT ${logEnd} AS lsn`);
  return toPosition(lsn);
}

/** Reads a position from the server's text. */
export function toPosition(text: string): Lsn {
  return readLsn(text) ?? zeroLsn;
}

export const markPrefix = 'powersync';

/**
 * A message that every stream sees. The transaction gets an id, so that its commit flushes the log: otherwise the
 * message would lie in memory for up to `wal_writer_delay`. It waits for this server's disk, whatever the role's
 * setting, but for no standby. A server that only reads gives no row.
 */
const markSql = `
SELECT set_config('synchronous_commit', 'local', true),
  pg_logical_emit_message(false, '${markPrefix}', $1), txid_current()
WHERE NOT pg_is_in_recovery()`;

/** Writes a mark. A read replica cannot, but there the activity of the primary moves the stream. */
export async function emitMark(queries: Queries, log: Log): Promise<void> {
  const rows = await queries.all(markSql, [`ping ${randomUUID()}`]);
  if (rows.length === 0)
    log.write('warn', 'The source is a read replica: marks cannot be written into its log');
}
