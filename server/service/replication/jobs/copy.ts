/** Copies a table in pages, each of them durable with its progress, or empties it again. */
import { type Lsn, laterOf } from '../../ground/lsn.ts';
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
 * Pages are small, to save memory. If each were made durable, it would write almost the whole index of random
 * keys again.
 */
const durableRows = 80_000;
const durableBytes = 16_000_000;

/**
 * Continues after the page that was stored last. If it is aborted, it returns undefined and the table is not complete. The
 * copied rows may be older or newer than the stream's position, so the returned position must be passed before anybody sees
 * them. The copy itself holds checkpoints back.
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
  /** Absent: nobody can pause or slow the copy. */
  readonly pace?: CopyPace | undefined;
}

interface OpenCopy {
  readonly table: ReplicatedTable;
  readonly onPage: () => Promise<void>;
  readonly pace: CopyPace | undefined;
  stored: StoredTable;
  position: Lsn | undefined;
  unsettled: { rows: number; bytes: number };
}

/** Returns false if the copy has to rest so long that it has ended the statement, which continues later from its position. */
async function copyPages(replication: Replication, open: OpenCopy): Promise<boolean> {
  const { table, onPage, pace } = open;
  const { stream, writer, signal, progress } = replication;
  // A table that cannot be resumed starts over: some of its rows are there already.
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
 * Whether the statement ends before a rest. One that would have to begin with the first row again waits for its rate, but not
 * for as long as somebody likes.
 */
export function mayEnd(pace: CopyPace, { progress }: CopyPage): boolean {
  return pace.isPaused() || (pace.isLongRest() && progress.lastKey !== undefined);
}

interface MeasuredTable {
  readonly info: TableInfo;
  readonly stored: StoredTable;
  readonly progress: JobProgress;
}

/** Asks the source how much a table has, so that the rest of its copy can be forecast. */
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
    log.write('debug', `A table cannot be measured: ${error.message}`, { table: fullName(info) });
    return info;
  }
}

/** The number of rows that one storage transaction removes. */
const emptiedAtOnce = 2000;

/** Removes all rows of a table from their buckets. */
export async function emptyTable(replication: Replication, table: StoredTable): Promise<void> {
  replication.reports.settleAll(table.id);
  while (!replication.signal.aborted && (await emptySome(replication, table)));
}

/** Returns whether there may be more. */
export async function emptySome({ writer, progress }: Replication, table: StoredTable): Promise<boolean> {
  const some = await writer.someRows(table.id, emptiedAtOnce);
  if (some.length === 0) return false;
  const rows = some.map((before) => removeRow({ table: table.id, key: before.key, before }));
  await writer.write({ rows });
  progress.stored({});
  return true;
}

/** Drops a table that is no longer the same. */
export async function dropTable(replication: Replication, table: StoredTable): Promise<void> {
  await emptyTable(replication, table);
  if (replication.signal.aborted) return;
  await replication.writer.deleteTable(table.id);
  replication.progress.dropTable(table);
}

/** The stored rows, in the order of the keys. An empty list if nothing is stored of the table. */
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
 * The source reads the next page while the last one is stored.
 *
 * @param onEnd nobody wants what is being read
 */
export async function* readAhead<T>(items: AsyncIterable<T>, onEnd = () => {}): AsyncGenerator<T> {
  const iterator = items[Symbol.asyncIterator]();
  let next = iterator.next();
  try {
    while (true) {
      const { done, value } = await next;
      if (done) return;
      next = iterator.next();
      // Asked for again in the next round; until then nobody else would hear of its failure.
      next.catch(() => {});
      yield value;
    }
  } finally {
    onEnd();
    await iterator.return?.();
  }
}
