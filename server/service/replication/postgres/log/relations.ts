/** Tables as the replication stream describes them: before their first change, and after each change of their definition. */

import type { TablePattern } from '../../../../engine/plan/plan.ts';
import type { ValueOptions } from '../../../../engine/plan/values/postgres/convert.ts';
import type { Types } from '../../../../engine/plan/values/postgres/types.ts';
import type { TableId } from '../../../ground/sourceIds.ts';
import type { TableInfo } from '../../source.ts';
import { type Column, type ColumnShape, toColumns } from '../rows.ts';
import { matchesSource } from '../tables.ts';

import type { WalReader } from './walMessages.ts';

export interface RelationMessage {
  readonly oid: number;
  readonly schema: string;
  readonly name: string;
  readonly identityKind: TableInfo['identityKind'];
  readonly columns: readonly ColumnShape[];
}

export interface Relation {
  readonly info: TableInfo;
  readonly columns: readonly Column[];
  /** Whether any pattern matches the table, so that its rows are needed. */
  readonly isUsed: boolean;
}

export interface RelationSettings {
  readonly tag: string;
  readonly patterns: readonly TablePattern[];
  readonly options: ValueOptions;
}

const identityKinds: Readonly<Record<string, TableInfo['identityKind']>> = {
  d: 'default',
  i: 'index',
  f: 'full',
  n: 'nothing',
};

/** Reads the description, which follows the tag. */
export function readRelation(reader: WalReader): RelationMessage {
  const oid = reader.int32();
  const schema = reader.string() || 'pg_catalog';
  const name = reader.string();
  const identityKind = identityKinds[String.fromCharCode(reader.byte())] ?? 'nothing';
  const columns = Array.from({ length: reader.int16() }, () => {
    const isKey = (reader.byte() & 1) === 1;
    const column = { name: reader.string(), type: reader.int32(), isKey };
    // Skips the modifier of the type, for example a length.
    reader.skip(4);
    return column;
  });
  return { oid, schema, name, identityKind, columns };
}

/** Returns the table. All types of its columns must have been loaded. */
export function toRelation(
  { oid, schema, name, identityKind, columns }: RelationMessage,
  types: Types,
  { tag, patterns, options }: RelationSettings,
): Relation {
  const identity = columns
    .filter(({ isKey }) => isKey)
    .map((column) => ({ name: column.name, type: types.get(column.type)?.name ?? '' }));
  return {
    info: { sourceId: oid as TableId, schema, name, identity, identityKind },
    columns: toColumns(columns, types, options),
    isUsed: patterns.some((pattern) => matchesSource(pattern, { tag, schema, name })),
  };
}
