/**
 * Changes between the log and the storage.
 *
 * 1. Changes are stored in the order of the log, a few at a time. The number is low, because the garbage collector frees young
 *    objects cheaply.
 * 2. Many stored changes become durable together, because almost the entire tree of random keys is written each time.
 * 3. Two things are remembered until they have been read again: rows that were sent incompletely, and tables in which one of
 *    several equal rows was deleted.
 */
import type { PassedEvent } from '../../storage/deployment.ts';
import { flush, type MissingRow, type RowChange } from '../rows/flush.ts';
import { sizeOfRow } from '../rows/rowCodec.ts';
import { storeProblems } from '../rows/rowReports.ts';
import type { Replication } from './replication.ts';

export interface PendingChanges {
  changes: RowChange[];
  /** The approximate size of the changes. */
  bytes: number;
  /** Stored rows that no checkpoint has published, and of which a part was not sent. */
  missing: MissingRow[];
  /** The tables in which one of several equal rows was deleted. */
  readonly doubtful: Set<number>;
  /** The amounts that are stored, but become durable only with the following changes. */
  readonly open: { rows: number; bytes: number };
}

/** The maximum number of bytes that are stored together, because they are in memory until then. */
const storedBytes = 4_000_000;
/** The estimated size of the stored row that completes a change. It may be large even if the change is small. */
const bytesOfUnchanged = 64_000;
const durableRows = 20_000;
const durableBytes = 16_000_000;

export function nothingPending(): PendingChanges {
  return { changes: [], bytes: 0, missing: [], doubtful: new Set(), open: { rows: 0, bytes: 0 } };
}

/** Adds a change. Returns whether it is time to store the changes. */
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
 * Stores the changes. They are not visible yet, and become durable with the following changes, or immediately if there are many.
 *
 * @param last the event that ends the transaction of these changes
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

/** Resets the amounts, because a commit has made everything durable. */
export function closeTransaction({ open }: PendingChanges): void {
  open.rows = 0;
  open.bytes = 0;
}
