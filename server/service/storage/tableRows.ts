/** Converts tables of a source to rows of a database and back. */
import type { TableId } from '../ground/sourceIds.ts';
import type {
  BesideProgress,
  IdentityColumn,
  NewTable,
  RowProblem,
  StoredTable,
  TableShape,
} from './storage.ts';

/** Returns the columns schema_name, name, oid, identity, identity_kind, copied, progress, shape, beside. */
export function columnsOf(table: NewTable): readonly (string | number | null)[] {
  const { schema, name, sourceId, identity, identityKind, copied, progress, shape, beside } = table;
  const texts = [progress, shape, beside].map((part) => (part === undefined ? null : JSON.stringify(part)));
  return [schema, name, sourceId, JSON.stringify(identity), identityKind, copied ? 1 : 0, ...texts];
}

/** Returns the column row_problems. */
export function problemsText(problems: readonly RowProblem[]): string | null {
  return problems.length === 0 ? null : JSON.stringify(problems);
}

export function tableOf(row: Readonly<Record<string, unknown>>): StoredTable {
  return {
    id: Number(row.id),
    schema: String(row.schema_name),
    name: String(row.name),
    sourceId: Number(row.oid) as TableId,
    identity: JSON.parse(String(row.identity)) as IdentityColumn[],
    identityKind: row.identity_kind as StoredTable['identityKind'],
    copied: row.copied === 1,
    ...(row.progress !== null && { progress: JSON.parse(String(row.progress)) as StoredTable['progress'] }),
    ...(row.row_problems !== null && { rowProblems: JSON.parse(String(row.row_problems)) as RowProblem[] }),
    ...(row.shape !== null && { shape: JSON.parse(String(row.shape)) as TableShape }),
    ...(row.beside !== null && { beside: JSON.parse(String(row.beside)) as BesideProgress }),
  };
}
