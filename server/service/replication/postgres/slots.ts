/** Replication slots, which retain the log from the position of a stream. */

import { quoteName } from '../../../engine/sql/names.ts';
import type { PostgresServer } from '../../config/settings.ts';
import { type Client, openClient, socketOf } from '../../postgres/client.ts';
import { type SourceBacklog, SourceFailure } from '../source.ts';
import { logEnd, toPosition } from './log/position.ts';
import { snapshotQuery, type Visibility } from './log/visibility.ts';
import type { WaitReporter } from './log/waiting.ts';
import type { Queries } from './queries.ts';
import { toSourceFailure } from './sourceFailures.ts';

export async function readSlotNames(queries: Queries): Promise<readonly string[]> {
  const rows = await queries.all<{ readonly name: string }>(
    `SELECT slot_name AS name FROM pg_catalog.pg_replication_slots WHERE database = current_database()`,
  );
  return rows.map(({ name }) => name);
}

export async function readSlotState(queries: Queries, slot: string): Promise<SourceBacklog> {
  const [row] = await queries.all<SlotRow>(slotSql, [slot]);
  if (row === undefined) return { kind: 'absent' };
  if (!row.ours) {
    throw new SourceFailure(
      'settings',
      'SVC_S1120',
      `The replication slot "${slot}" belongs to something else: another database or another output plugin. Choose another slot_name_prefix, or drop it: SELECT pg_drop_replication_slot('${slot}');`,
    );
  }
  // The slot is still being created, possibly for a process that has died meanwhile.
  if (row.confirmed === null) return { kind: 'absent' };
  const { confirmed, log_end, lag, wal_status, safe_wal_size, max_wal_size, reason } = row;
  return {
    kind: isLost(row) ? 'lost' : 'ready',
    ...(isLost(row) && reason !== null && { reason }),
    ...(isLost(row) && reason === 'rows_removed' && { canBeKeptAgain: true }),
    confirmed: toPosition(confirmed),
    ...(log_end !== null && { end: toPosition(log_end) }),
    ...(lag !== null && { lagBytes: lag }),
    ...(wal_status !== null && { status: wal_status }),
    ...(safe_wal_size !== null && { safeBytes: safe_wal_size }),
    ...(max_wal_size !== null && { mostBytes: max_wal_size }),
  };
}

interface SlotRow {
  readonly ours: boolean;
  readonly confirmed: string | null;
  readonly log_end: string | null;
  readonly lag: number | null;
  readonly wal_status: string | null;
  readonly safe_wal_size: number | null;
  readonly max_wal_size: number | null;
  /** Present since version 17. */
  readonly reason: string | null;
}

/**
 * Reads the state of a slot. Columns that older versions lack are read through JSON. The setting is in megabytes; -1 means no
 * limit.
 */
const slotSql = `
SELECT s.plugin = 'pgoutput' AND s.database = current_database() AS ours,
  s.confirmed_flush_lsn AS confirmed,
  CASE WHEN NOT pg_is_in_recovery() THEN pg_current_wal_insert_lsn() END AS log_end,
  GREATEST(0, pg_wal_lsn_diff(${logEnd}, s.confirmed_flush_lsn))::float8 AS lag,
  j ->> 'wal_status' AS wal_status,
  (j ->> 'safe_wal_size')::float8 AS safe_wal_size,
  j ->> 'invalidation_reason' AS reason,
  (SELECT setting::float8 * 1024 * 1024 FROM pg_settings
    WHERE name = 'max_slot_wal_keep_size' AND setting::int8 >= 0) AS max_wal_size
FROM pg_catalog.pg_replication_slots s CROSS JOIN LATERAL to_jsonb(s) j
WHERE s.slot_name = $1`;

function isLost({ wal_status, reason }: SlotRow): boolean {
  return wal_status === 'lost' || reason !== null;
}

interface NewSlot {
  readonly connection: PostgresServer;
  readonly queries: Queries;
  readonly slot: string;
  readonly visibility: Visibility;
  readonly waiting: WaitReporter;
}

const open =
  'Replication can begin only after all transactions that were open at this time have ended: see pg_stat_activity and pg_prepared_xacts in the source. Transactions whose wait_event is SyncRep are waiting for a standby.';

/**
 * Creates a slot. The server waits for all transactions that are currently writing, and keeps waiting unless its process is
 * ended. A table that is read afterwards includes everything that was committed before the slot begins, which the slot does not
 * report.
 */
export async function createSlot(
  { connection, queries, slot, visibility, waiting }: NewSlot,
  signal: AbortSignal,
): Promise<void> {
  if (!allowedName.test(slot)) throw notAllowed(slot);
  let client: Client | undefined;
  let process: number | undefined;
  const giveUp = () => {
    // If the message cannot be sent, the connection is closed without waiting for the server.
    const leave = () => client && socketOf(client).destroy();
    // The process is ended, because a cancellation could arrive before the statement and would then have no effect.
    queries.all('SELECT pg_terminate_backend($1)', [process]).catch(leave);
  };
  try {
    client = await openClient(connection, 'replication');
    const { rows } = await client.query<{ readonly pid: number }>('SELECT pg_backend_pid() AS pid');
    process = rows[0]?.pid;
    if (signal.aborted) throw givenUp(slot);
    signal.addEventListener('abort', giveUp);
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const create = `CREATE_REPLICATION_SLOT ${quoteName(slot)} LOGICAL pgoutput USE_SNAPSHOT`;
    await waiting(open, client.query(create));
    const before = await client.query<{ readonly text: string }>(snapshotQuery);
    await client.query('COMMIT');
    await visibility.reach(before.rows[0]?.text ?? '', signal);
    signal.throwIfAborted();
  } catch (error) {
    if (signal.aborted) throw givenUp(slot);
    throw toSourceFailure(error, connection, 'replication');
  } finally {
    signal.removeEventListener('abort', giveUp);
    await client?.end().catch(() => undefined);
  }
}

/** The names that PostgreSQL allows. */
const allowedName = /^[a-z0-9_]+$/;

function notAllowed(slot: string): SourceFailure {
  return new SourceFailure(
    'settings',
    'SVC_S1120',
    `"${slot}" is not a valid name for a replication slot: only lower-case letters, digits and underscores are allowed. Change slot_name_prefix.`,
  );
}

function givenUp(slot: string): SourceFailure {
  return new SourceFailure(
    'closed',
    'SVC_S1103',
    `The creation of the replication slot "${slot}" was cancelled.`,
  );
}

export async function dropSlot(queries: Queries, slot: string): Promise<void> {
  try {
    await queries.all(
      'SELECT pg_drop_replication_slot(slot_name) FROM pg_catalog.pg_replication_slots WHERE slot_name = $1',
      [slot],
    );
  } catch (error) {
    // Another process has already dropped the slot.
    if (error instanceof SourceFailure && error.kind === 'backlog-missing') return;
    throw error;
  }
}

/**
 * Ends the server's process that uses the slot. Otherwise, the slot would stay busy until `wal_sender_timeout` if its client has
 * disappeared. A role may end its own connections. If the process belongs to another role, this does nothing.
 *
 * @param process the id of the process; absent: any process that uses the slot
 */
export async function freeSlot(queries: Queries, slot: string, process?: number): Promise<void> {
  const sql = `SELECT pg_terminate_backend(active_pid) FROM pg_catalog.pg_replication_slots
    WHERE slot_name = $1 AND active_pid = coalesce($2::int, active_pid)`;
  await queries.all(sql, [slot, process ?? null]).catch(() => undefined);
}
