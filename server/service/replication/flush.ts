/**
 * A batch of changes, in the order of the log, becomes writes. What is stored of their rows is loaded once; a later
 * change of a row in the batch sees what an earlier one has made of it.
 */
import type { RowResult } from '../../engine/plan/evaluate/rows.ts';
import type { Row } from '../../engine/plan/evaluate/scope.ts';
import type { SqlValue } from '../../engine/plan/values/value.ts';
import type { CurrentRow, ReplicationWriter, RowWrite } from '../storage/storage.ts';
import { keepRow, type Place, putRow, removeRow } from './rowChange.ts';
import { decodeRow } from './rowCodec.ts';
import type { ReportRow } from './rowReports.ts';
import type { ChangedRow } from './source.ts';
import { fullName, type ReplicatedTable } from './tables.ts';

export type RowChange =
  | {
      readonly kind: 'put';
      readonly table: ReplicatedTable;
      readonly key: string;
      readonly row: ChangedRow;
      /** It was stored under this one before. */
      readonly oldKey?: string;
      /** Under which key the values are stored that the source left out. Absent: that cannot be told. */
      readonly valuesAt?: string;
    }
  | { readonly kind: 'remove'; readonly table: ReplicatedTable; readonly key: string };

/** A row of which the source did not send all, and which is not stored either. */
export interface MissingRow {
  readonly table: ReplicatedTable;
  readonly key: string;
  readonly identity: SqlValue;
}

export interface Flushed {
  readonly rows: readonly RowWrite[];
  readonly missing: readonly MissingRow[];
}

/** Does not write yet. */
export async function flush(
  changes: readonly RowChange[],
  writer: ReplicationWriter,
  report: ReportRow,
): Promise<Flushed> {
  return applyChanges(changes, await loadRows(changes, writer), report);
}

/** What is stored of rows, by table and key. */
export type StoredRows = Map<number, Map<string, CurrentRow | undefined>>;

/** Pure but for `stored`, which it carries on. */
export function applyChanges(changes: readonly RowChange[], stored: StoredRows, report: ReportRow): Flushed {
  const rows: RowWrite[] = [];
  const missing = new Map<string, MissingRow>();
  for (const change of changes) {
    const { table, key } = change;
    const known = stored.get(table.stored.id) ?? new Map<string, CurrentRow | undefined>();
    stored.set(table.stored.id, known);
    const write = (row: RowWrite) => {
      rows.push(row);
      known.set(row.key, row.current === null ? undefined : { ...row.current, key: row.key });
    };
    const placeOf = (at: string) => ({ table: table.stored.id, key: at, before: known.get(at) });
    const remove = (at: string) => {
      const { before, ...place } = placeOf(at);
      if (before !== undefined) write(removeRow({ ...place, before }));
      missing.delete(`${place.table}/${at}`);
    };
    if (change.kind === 'remove') {
      remove(key);
      continue;
    }
    const merged = merge(change.row, known.get(change.valuesAt ?? ''));
    if (change.oldKey !== undefined && change.oldKey !== key) remove(change.oldKey);
    const place = placeOf(key);
    const name = `${place.table}/${key}`;
    if (change.row.failure !== undefined) {
      write(keepRow(place, undefined));
      report({ table: fullName(table.info), row: key, kind: 'failure', message: change.row.failure });
    } else if (merged.unknown) {
      write(keepRow(place, table.codec.encode(merged.row)));
      missing.set(name, { table, key, identity: merged.row[table.info.identity[0]?.name ?? ''] ?? null });
    } else {
      write(evaluated(place, table, merged.row, report));
      missing.delete(name);
    }
  }
  return { rows, missing: [...missing.values()] };
}

/** The write of a row of which all is known. */
export function evaluated(place: Place, table: ReplicatedTable, row: Row, report: ReportRow): RowWrite {
  const result = evaluate(table, row);
  if (result === undefined) {
    const message = 'A row could not be evaluated, because of a fault in this service';
    report({ table: fullName(table.info), row: place.key, kind: 'fault', message });
    return keepRow(place, undefined);
  }
  for (const { stream, side, code } of result.failures) {
    report({
      table: fullName(table.info),
      row: place.key,
      kind: `${stream} ${side} ${code}`,
      message: `A query of ${stream} failed for a row, which it therefore leaves out: ${code}`,
    });
  }
  return putRow(place, result, table.codec.encode(row));
}

/** A fault of ours must not stop all other rows. */
function evaluate(table: ReplicatedTable, row: Row): RowResult | undefined {
  try {
    return table.evaluate(row);
  } catch {
    return undefined;
  }
}

interface Merged {
  readonly row: Row;
  /** A value is neither in the change nor stored. */
  readonly unknown: boolean;
}

function merge({ values, unchanged }: ChangedRow, before: CurrentRow | undefined): Merged {
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

/** Bounds what is in memory of rows that are large, and of which only the memberships are needed. */
const LOADED_AT_ONCE = 1000;

async function loadRows(changes: readonly RowChange[], writer: ReplicationWriter): Promise<StoredRows> {
  const wanted = new Map<number, Set<string>>();
  /** Rows whose values are needed, too. */
  const merging = new Set<string>();
  for (const { table, key, ...change } of changes) {
    if (table.info.identityKind === 'nothing') continue;
    const keys = wanted.get(table.stored.id) ?? new Set();
    wanted.set(table.stored.id, keys.add(key));
    if (change.kind !== 'put') continue;
    if (change.oldKey !== undefined) keys.add(change.oldKey);
    if (change.row.unchanged !== undefined && change.valuesAt !== undefined) merging.add(change.valuesAt);
  }
  const stored: StoredRows = new Map();
  for (const [table, keys] of wanted) {
    const rows = new Map<string, CurrentRow | undefined>();
    stored.set(table, rows);
    const all = [...keys];
    for (let from = 0; from < all.length; from += LOADED_AT_ONCE) {
      const some = all.slice(from, from + LOADED_AT_ONCE);
      for (const row of await writer.currentRows(table, some)) {
        if (row !== undefined) rows.set(row.key, merging.has(row.key) ? row : { ...row, values: undefined });
      }
    }
  }
  return stored;
}
