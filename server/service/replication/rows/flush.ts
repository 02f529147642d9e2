/**
 * Converts a batch of changes, in the order of the log, to writes. The stored rows are loaded once. A later change of a row in
 * the batch uses the result of the earlier one.
 */
import type { RowResult } from '../../../engine/plan/evaluate/rows.ts';
import type { Row } from '../../../engine/plan/evaluate/scope.ts';
import type { SqlValue } from '../../../engine/plan/values/value.ts';
import type { CurrentRow, ReplicationWriter, RowWrite } from '../../storage/storage.ts';
import type { ChangedRow } from '../source.ts';
import { identityText } from './identity.ts';
import { keepRow, type Place, putRow, removeRow, type StoredRow } from './rowChange.ts';
import { decodeRow } from './rowCodec.ts';
import type { RowReports } from './rowReports.ts';
import type { ReplicatedTable } from './tables.ts';

export type RowChange =
  | {
      readonly kind: 'put';
      readonly table: ReplicatedTable;
      readonly key: string;
      readonly row: ChangedRow;
      /** The key under which the row was stored before. */
      readonly oldKey?: string;
      /** The key under which the omitted values are stored. Absent if that is unknown. */
      readonly valuesAt?: string;
      /** Whether the source has just created the row, so that a lookup of the stored row would almost always find nothing. */
      readonly isInsert?: boolean;
      /** For a table without a key: whether the old key may belong to an equal row that still exists. */
      readonly mayBeAnother?: boolean;
    }
  | {
      readonly kind: 'remove';
      readonly table: ReplicatedTable;
      readonly key: string;
      readonly mayBeAnother?: boolean;
    };

/** A row that the source did not send completely, and that is not stored either. */
export interface MissingRow {
  readonly table: ReplicatedTable;
  readonly key: string;
  readonly identity: SqlValue;
  /** The row, for messages. */
  readonly text: string;
}

interface FlushResult {
  readonly rows: readonly RowWrite[];
  readonly missing: readonly MissingRow[];
  /** Tables in which one of several equal rows was deleted. */
  readonly doubtful: ReadonlySet<number>;
}

/** Returns the writes, without writing yet. */
export async function flush(
  changes: readonly RowChange[],
  writer: ReplicationWriter,
  reports: RowReports,
): Promise<FlushResult> {
  return applyChanges(changes, await loadRows(changes, writer), reports);
}

/** The stored rows, by table and key; undefined: no such row. Absent rows were not looked up. */
type StoredRows = Map<number, Map<string, StoredRow | undefined>>;

interface Batch {
  /** Updated by each change. */
  readonly stored: StoredRows;
  readonly reports: RowReports;
  readonly rows: RowWrite[];
  readonly missing: Map<string, MissingRow>;
  readonly doubtful: Set<number>;
}

function applyChanges(changes: readonly RowChange[], stored: StoredRows, reports: RowReports): FlushResult {
  const batch: Batch = { stored, reports, rows: [], missing: new Map(), doubtful: new Set() };
  for (const change of changes) {
    if (change.kind === 'remove') remove(change, change.key, batch);
    else put(change, batch);
  }
  return { rows: batch.rows, missing: [...batch.missing.values()], doubtful: batch.doubtful };
}

function remove({ table, mayBeAnother = false }: RowChange, key: string, batch: Batch): void {
  const { before, ...place } = placeOf(table, key, batch);
  const hasEqual = before?.values !== undefined || mayBeAnother;
  if (table.isKeyless && before !== undefined && hasEqual) batch.doubtful.add(table.stored.id);
  else if (before !== undefined) write(removeRow({ ...place, before }), batch);
  batch.reports.settle(table.stored.id, key);
  forgetMissing(table, key, batch);
}

function put(change: RowChange & { readonly kind: 'put' }, batch: Batch): void {
  const { table, key, row, oldKey, valuesAt } = change;
  const { reports, missing } = batch;
  const merged = merge(row, valuesAt === undefined ? undefined : placeOf(table, valuesAt, batch).before);
  if (oldKey !== undefined && oldKey !== key) remove(change, oldKey, batch);
  const place = placeOf(table, key, batch);
  // An update that changes nothing must not add a second row.
  if (table.isKeyless && oldKey === key && place.before !== undefined) return;
  if (row.failure !== undefined) {
    write(keepRow(place, undefined), batch);
    const text = identityText(table.info, row.values);
    reports.tell(table, key, { row: text, kind: 'failure', message: row.failure });
  } else if (merged.unknown) {
    write(keepRow(place, table.codec.encode(merged.row)), batch);
    const identity = merged.row[table.info.identity[0]?.name ?? ''] ?? null;
    missing.set(nameOf(table, key), { table, key, identity, text: identityText(table.info, merged.row) });
  } else {
    write(evaluateRow(place, table, merged.row, reports), batch);
    forgetMissing(table, key, batch);
  }
}

function placeOf({ stored: { id } }: ReplicatedTable, key: string, { stored }: Batch): Place {
  const known = stored.get(id);
  return { table: id, key, before: known?.get(key), isNew: !known?.has(key) };
}

function write(row: RowWrite, { rows, stored }: Batch): void {
  rows.push(row);
  const known = stored.get(row.table);
  if (known !== undefined) known.set(row.key, row.current ?? undefined);
  else stored.set(row.table, new Map([[row.key, row.current ?? undefined]]));
}

function forgetMissing(table: ReplicatedTable, key: string, { missing }: Batch): void {
  if (missing.size > 0) missing.delete(nameOf(table, key));
}

function nameOf({ stored }: ReplicatedTable, key: string): string {
  return `${stored.id}/${key}`;
}

/** Returns the write of a row whose values are all known. */
export function evaluateRow(place: Place, table: ReplicatedTable, row: Row, reports: RowReports): RowWrite {
  const result = evaluate(table, row);
  reports.settle(place.table, place.key);
  if (result === undefined) {
    const message = 'A row could not be evaluated, because of a bug in this service';
    reports.tell(table, place.key, { row: identityText(table.info, row), kind: 'fault', message });
    return keepRow(place, undefined);
  }
  for (const { stream, side, code } of result.failures) {
    reports.tell(table, place.key, {
      row: identityText(table.info, row),
      kind: `${stream} ${side} ${code}`,
      message: `A query of ${stream} failed for a row, so the row is left out: ${code}`,
    });
  }
  if (!table.isKeyless) return putRow(place, result, table.codec.encode(row));
  const { before } = place;
  return putRow(place, result, before === undefined ? undefined : equalRows, equalRows);
}

/** Evaluates a row. An error of the evaluation must not stop all other rows. */
function evaluate(table: ReplicatedTable, row: Row): RowResult | undefined {
  try {
    return table.evaluate(row);
  } catch {
    return undefined;
  }
}

/** The stored value of a row that may exist several times. Tables without a key store no other values. */
const equalRows = new Uint8Array([1]);

interface MergedRow {
  readonly row: Row;
  /** Whether a value is neither in the change nor stored. */
  readonly unknown: boolean;
}

function merge({ values, unchanged }: ChangedRow, before: StoredRow | undefined): MergedRow {
  if (unchanged === undefined || unchanged.length === 0) return { row: values, unknown: false };
  const row: Record<string, SqlValue> = Object.assign(Object.create(null), values);
  const kept = decodeRow(before?.values);
  let unknown = false;
  for (const name of unchanged) {
    const value = kept[name];
    if (value === undefined) unknown = true;
    else row[name] = value;
  }
  return { row, unknown };
}

/** The maximum number of rows that are loaded together, because rows may be large, and often only their memberships are needed. */
const loadedAtOnce = 1000;

async function loadRows(changes: readonly RowChange[], writer: ReplicationWriter): Promise<StoredRows> {
  const wanted = new Map<number, Set<string>>();
  /** The rows whose values are also needed. */
  const merging = new Set<string>();
  for (const change of changes) {
    if (change.kind === 'put' && change.isInsert) continue;
    const { table, key } = change;
    const keys = wanted.get(table.stored.id) ?? new Set();
    wanted.set(table.stored.id, keys.add(key));
    if (change.kind !== 'put') continue;
    if (change.oldKey !== undefined) keys.add(change.oldKey);
    if (change.row.unchanged !== undefined && change.valuesAt !== undefined) merging.add(change.valuesAt);
  }
  const stored: StoredRows = new Map();
  for (const [table, keys] of wanted) {
    const all = [...keys];
    const rows = new Map<string, StoredRow | undefined>(all.map((key) => [key, undefined]));
    stored.set(table, rows);
    for (let from = 0; from < all.length; from += loadedAtOnce) {
      const some = all.slice(from, from + loadedAtOnce);
      for (const row of await writer.currentRows(table, some)) {
        if (row !== undefined) rows.set(row.key, merging.has(row.key) ? row : withoutValues(row));
      }
    }
  }
  return stored;
}

/** Returns the row without its values. The result still shows whether there are any. */
function withoutValues(row: CurrentRow): CurrentRow {
  return row.values === undefined ? row : { ...row, values: noValues };
}

const noValues = new Uint8Array(0);
