/** Matches tables of the source with their records in the storage: which record can still be used, and which must be removed. */

import type { RowSide } from '../../../engine/plan/evaluate/evaluate.ts';
import type { RowEvaluator } from '../../../engine/plan/evaluate/rows.ts';
import type { IdentityColumn, NewTable, StoredTable } from '../../storage/storage.ts';
import type { Source, TableInfo } from '../source.ts';
import { type KeyOf, toKeyOf } from './identity.ts';
import { canRefetch, type RowCodec, toRowCodec } from './rowCodec.ts';
import { asCopied } from './tableShape.ts';

/** A table that the config uses, ready for its rows. */
export interface ReplicatedTable {
  readonly info: TableInfo;
  readonly stored: StoredTable;
  readonly keyOf: KeyOf;
  readonly codec: RowCodec;
  readonly evaluate: RowEvaluator;
  /** Whether equal rows share one key. */
  readonly isKeyless: boolean;
  /** Whether its rows can be read again by their key. */
  readonly refetchable: boolean;
  /** Whether only a copy beside the stream needs the table. Its rows may be newer than those of other tables. */
  readonly isBeside?: boolean;
}

interface Resolution {
  readonly reused?: StoredTable;
  /** Renamed or recreated tables, and tables with a changed identity. Their rows have another meaning now. */
  readonly dropped: readonly StoredTable[];
}

export function resolveTable(table: TableInfo, stored: readonly StoredTable[]): Resolution {
  const touched = stored.filter(
    (record) =>
      record.sourceId === table.sourceId || (record.schema === table.schema && record.name === table.name),
  );
  const reused = touched.find((record) => isSame(record, table));
  return { ...(reused && { reused }), dropped: touched.filter((record) => record !== reused) };
}

interface RowReading {
  readonly evaluator: RowSide;
  readonly source: Pick<Source, 'tag'>;
}

export function toReplicatedTable(
  info: TableInfo,
  stored: StoredTable,
  { evaluator, source }: RowReading,
): ReplicatedTable {
  const { schema, name } = info;
  const refetchable = canRefetch(info);
  return {
    info,
    stored,
    refetchable,
    isKeyless: stored.shape?.isKeyless === true,
    keyOf: toKeyOf(info),
    codec: toRowCodec(info, refetchable),
    evaluate: evaluator.rowsOf({ tag: source.tag, schema, name }),
  };
}

export function newTable({ schema, name, sourceId, identity, identityKind, shape }: TableInfo): NewTable {
  const copied = false;
  return { schema, name, sourceId, identity, identityKind, copied, ...(shape && { shape: asCopied(shape) }) };
}

export function fullName({ schema, name }: Pick<TableInfo, 'schema' | 'name'>): string {
  return `${schema}.${name}`;
}

function isSame(record: StoredTable, table: TableInfo): boolean {
  return (
    record.sourceId === table.sourceId &&
    record.schema === table.schema &&
    record.name === table.name &&
    identityText(record.identity) === identityText(table.identity)
  );
}

function identityText(columns: readonly IdentityColumn[]): string {
  return JSON.stringify(columns.map(({ name, type }) => [name, type]));
}
