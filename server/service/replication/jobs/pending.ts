/**
 * Changes between the log and the storage.
 *
 * 1. Changes are stored in the order of the log, a few at a time: so few that the garbage collector frees them while they are
 *    young, which is cheap.
 * 2. Stored changes become durable many at a time, because the tree of random keys is written almost as a whole each time.
 * 3. A row that was sent in part, and a table of which one of several equal rows was deleted, are remembered until they have
 *    been read again.
 */
import type { PassedEvent } from '../../storage/deployment.ts';
import { flush, type MissingRow, type RowChange } from '../rows/flush.ts';
import { sizeOfRow } from '../rows/rowCodec.ts';
import { storeProblems } from '../rows/rowReports.ts';
import type { Replication } from './replication.ts';

export interface PendingChanges {
  changes: RowChange[];
  /** Their approximate size. */
  bytes: number;
  /** Stored rows that no checkpoint has published, of which a part was not sent. */
  missing: MissingRow[];
  /** Tables in which one of several equal rows was deleted. */
  readonly doubtful: Set<number>;
  /** Stored, and durable only together with what follows. */
  readonly open: { rows: number; bytes: number };
}

/** The maximum number of bytes that are stored at once, because they are in memory until then. */
const storedBytes = 4_000_000;
/** The stored row that completes a change may be large, however small the change is. */
const bytesOfUnchanged = 64_000;
const durableRows = 20_000;
const durableBytes = 16_000_000;

export function nothingPending(): PendingChanges {
  return { changes: [], bytes: 0, missing: [], doubtful: new Set(), open: { rows: 0, bytes: 0 } };
}

/** Returns whether it is time to store them. */
export function add(change: RowChange, pending: PendingChanges, rowsAtOnce: number): boolean {
  pending.changes.push(change);
  if (change.kind === 'put') {
    const { values, unchanged } = change.row;
    pending.bytes += sizeOfRow(values);
    if (unchanged !== undefined) pending.bytes += bytesOfUnchanged;
  }
  return pending.changes.length >= rowsAtOnce || pending.bytes >= storedBytes;
}

/**
 * Not visible yet; durable with what follows, or at once when that has become much.
 *
 * @param last what ends the transaction of which this is a part
 */
export async function store(
  pending: PendingChanges,
  { writer, reports, progress }: Replication,
  last?: PassedEvent,
): Promise<void> {
  const { changes, bytes, open } = pending;
  if (changes.length === 0) return;
  pending.changes = [];
  pending.bytes = 0;
  const { rows, missing, doubtful } = await flush(changes, writer, reports);
  await storeProblems({ reports, writer });
  open.rows += rows.length;
  open.bytes += bytes;
  const goesOn = open.rows < durableRows && open.bytes < durableBytes;
  if (rows.length > 0) await writer.write({ rows, goesOn, ...(last !== undefined && { last }) });
  if (!goesOn) closeTransaction(pending);
  progress.stored({ rows: changes.length, bytes });
  pending.missing.push(...missing);
  for (const table of doubtful) pending.doubtful.add(table);
}

/** A commit has made all of it durable. */
export function closeTransaction({ open }: PendingChanges): void {
  open.rows = 0;
  open.bytes = 0;
}
