/** Copies a table in pages, which become durable together with the progress, or empties it again. */
import { type LogPosition, laterOf } from '../../ground/logPosition.ts';
import type { ReplicationWriter, RowWrite, StoredTable } from '../../storage/storage.ts';
import { evaluateRow } from '../rows/flush.ts';
import { identityText } from '../rows/identity.ts';
import { removeRow } from '../rows/rowChange.ts';
import { sizeOfRow } from '../rows/rowCodec.ts';
import { storeProblems } from '../rows/rowReports.ts';
import { fullName, type ReplicatedTable } from '../rows/tables.ts';
import { type CopyPage, SourceFailure, type TableInfo } from '../source.ts';
import { type CopyPace, restBefore } from './pace.ts';
import type { JobProgress } from './progress.ts';
import type { Replication } from './replication.ts';

/**
 * How much is made durable together. Pages are small, to save memory. If each page became durable separately, almost the entire
 * index of random keys would be written each time.
 */
const durableRows = 80_000;
const durableBytes = 16_000_000;

/**
 * Copies a table, starting after the last stored page. Returns undefined if it was aborted before the table was complete. The
 * copied rows may be older or newer than the stream's position, so the stream must pass the returned position before clients see
 * the rows. The copy itself holds checkpoints back.
 */
export async function copySourceTable(
  replication: Replication,
  table: ReplicatedTable,
  { onPage = async () => {}, pace }: CopyWays = {},
): Promise<StoredTable | undefined> {
  const { writer, source, signal, progress } = replication;
  const open: OpenCopy = {
    table,
    onPage,
    pace,
    stored: table.stored,
    position: undefined,
    unsettled: { rows: 0, bytes: 0 },
  };
  let isRead = false;
  while (!isRead) {
    if (pace !== undefined) await restBefore(pace, progress, signal);
    if (signal.aborted) return undefined;
    isRead = await copyPages(replication, open);
  }
  if (open.stored.copied) return open.stored;
  if (signal.aborted) return undefined;
  await writer.holdCheckpoints(laterOf(await source.position(), open.position));
  const stored = await writer.putTable({ ...open.stored, copied: true });
  progress.table(stored);
  return stored;
}

interface CopyWays {
  readonly onPage?: () => Promise<void>;
  /** Absent: the copy cannot be paused or slowed. */
  readonly pace?: CopyPace | undefined;
}

interface OpenCopy {
  readonly table: ReplicatedTable;
  readonly onPage: () => Promise<void>;
  readonly pace: CopyPace | undefined;
  stored: StoredTable;
  position: LogPosition | undefined;
  unsettled: { rows: number; bytes: number };
}

/** Returns false if the copy had to pause so long that it ended the statement, which continues later from its position. */
async function copyPages(replication: Replication, open: OpenCopy): Promise<boolean> {
  const { table, onPage, pace } = open;
  const { stream, writer, signal, progress } = replication;
  // A table that cannot be resumed starts again, although some of its rows are already stored.
  const known = open.stored.progress;
  const mayHaveRows = known !== undefined && known.copiedRows > 0 && known.lastKey === undefined;
  const thereOf: Lookup = mayHaveRows ? (id, keys) => writer.currentRows(id, keys) : async () => [];
  const reading = new AbortController();
  const either = AbortSignal.any([signal, reading.signal]);
  for await (const page of readAhead(stream.copy(table.info, known, either), () => reading.abort())) {
    const rows = await writesOf(page, table, { reports: replication.reports, thereOf });
    if (page.position !== undefined) {
      open.position = page.position;
      await writer.holdCheckpoints(page.position);
    }
    open.stored = { ...open.stored, progress: page.progress, copied: open.position !== undefined };
    const { stored, unsettled } = open;
    const bytes = page.rows.reduce((sum, row) => sum + sizeOfRow(row), 0);
    unsettled.rows += page.rows.length;
    unsettled.bytes += bytes;
    pace?.spend(page.rows.length);
    const isResting = pace?.isLongRest() === true;
    const isMuch = unsettled.rows >= durableRows || unsettled.bytes >= durableBytes;
    const goesOn = !stored.copied && !isMuch && !isResting;
    if (!goesOn) open.unsettled = { rows: 0, bytes: 0 };
    await storeProblems(replication);
    await writer.write({ rows, progress: stored, goesOn });
    progress.table(stored);
    progress.stored({ rows: page.rows.length, bytes, pages: 1 });
    if (signal.aborted || stored.copied) break;
    await onPage();
    if (pace === undefined) continue;
    if (!mayEnd(pace, page)) await pace.restUnlessPaused(signal);
    if (mayEnd(pace, page)) {
      // The pause may be long, so everything is made durable.
      await writer.write({ rows: [], progress: stored });
      open.unsettled = { rows: 0, bytes: 0 };
      return false;
    }
    progress.goOn(pace.limit());
  }
  return true;
}

/**
 * Whether the statement ends before a pause. A statement that would have to begin again with the first row stays open while it
 * waits for its rate, but not while the copy is paused, because an admin may pause it for any time.
 */
export function mayEnd(pace: CopyPace, { progress }: CopyPage): boolean {
  return pace.isPaused() || (pace.isLongRest() && progress.lastKey !== undefined);
}

interface MeasuredTable {
  readonly info: TableInfo;
  readonly stored: StoredTable;
  readonly progress: JobProgress;
}

/** Asks the source for the size of a table, so that the remaining time of its copy can be forecast. */
export async function measure(
  { source, log }: Pick<Replication, 'source' | 'log'>,
  { info, stored, progress }: MeasuredTable,
): Promise<TableInfo> {
  try {
    const { rows, bytesPerRow } = await source.measure(info);
    const { copiedRows = 0, lastKey } = stored.progress ?? {};
    const known = { copiedRows, estimatedRows: rows, ...(lastKey !== undefined && { lastKey }) };
    progress.size(stored, bytesPerRow);
    progress.table({ ...stored, progress: known });
    return { ...info, estimatedRows: rows };
  } catch (error) {
    if (!(error instanceof SourceFailure)) throw error;
    log.write('debug', `Could not measure a table: ${error.message}`, { table: fullName(info) });
    return info;
  }
}

/** The number of rows that are removed at once. */
const emptiedAtOnce = 2000;

/** Removes all rows of a table from their buckets. */
export async function emptyTable(replication: Replication, table: StoredTable): Promise<void> {
  const { reports, signal, writer } = replication;
  reports.settleAll(table.id);
  let unsettled = 0;
  while (!signal.aborted) {
    const goesOn = unsettled < durableRows;
    const removed = await emptySome(replication, table, goesOn);
    if (removed === 0) break;
    unsettled = goesOn ? unsettled + removed : 0;
  }
  if (unsettled > 0) await writer.write({ rows: [] });
}

/**
 * Removes some rows, and returns their number. None: no rows are left.
 *
 * @param goesOn whether the removal may become durable later, with more rows
 */
export async function emptySome(
  { writer, progress }: Replication,
  table: StoredTable,
  goesOn = false,
): Promise<number> {
  const some = await writer.someRows(table.id, emptiedAtOnce);
  if (some.length === 0) return 0;
  const rows = some.map((before) => removeRow({ table: table.id, key: before.key, before }));
  await writer.write({ rows, goesOn });
  progress.stored({});
  return some.length;
}

/** Drops a table that was replaced by a different one. */
export async function dropTable(replication: Replication, table: StoredTable): Promise<void> {
  await emptyTable(replication, table);
  if (replication.signal.aborted) return;
  await replication.writer.deleteTable(table.id);
  replication.progress.dropTable(table);
}

/** Returns the stored rows in the order of the keys, or an empty list if nothing is stored of the table. */
type Lookup = ReplicationWriter['currentRows'];

async function writesOf(
  page: CopyPage,
  table: ReplicatedTable,
  { reports, thereOf }: Pick<Replication, 'reports'> & { readonly thereOf: Lookup },
): Promise<readonly RowWrite[]> {
  for (const { identity, message } of page.failed) {
    const row = identityText(table.info, identity);
    reports.tell(table, table.keyOf(identity), { row, kind: 'failure', message });
  }
  const keys = page.rows.map(table.keyOf);
  const id = table.stored.id;
  const there = await thereOf(id, keys);
  const writes: RowWrite[] = [];
  page.rows.forEach((row, index) => {
    if (there[index] !== undefined) return;
    const place = { table: id, key: keys[index] as string, before: undefined, isNew: table.isKeyless };
    writes.push(evaluateRow(place, table, row, reports));
  });
  return writes;
}

/**
 * Reads the next page from the source while the previous one is being stored.
 *
 * @param onEnd called if the page that is being read is no longer needed
 */
export async function* readAhead<T>(items: AsyncIterable<T>, onEnd = () => {}): AsyncGenerator<T> {
  const iterator = items[Symbol.asyncIterator]();
  let next = iterator.next();
  try {
    while (true) {
      const { done, value } = await next;
      if (done) return;
      next = iterator.next();
      // The next round awaits this promise. Until then, a failure must not count as unhandled.
      next.catch(() => {});
      yield value;
    }
  } finally {
    onEnd();
    await iterator.return?.();
  }
}
