/** Reads the current versions of rows by their keys. */
import type { Row } from '../../../../engine/plan/evaluate/scope.ts';
import type { SqlValue } from '../../../../engine/plan/values/value.ts';
import { quoteName } from '../../../../engine/sql/names.ts';
import type { TableInfo } from '../../source.ts';
import { SourceFailure } from '../../source.ts';
import { toColumns, toRow } from '../rows.ts';
import type { CopySource } from './copy.ts';
import { readShape } from './shape.ts';

const keysAtOnce = 1000;

/** Returns the rows. Rows that cannot be converted are omitted, so nothing is known about them. */
export async function refetchRows(
  { queries, types, options }: CopySource,
  table: TableInfo,
  keys: readonly SqlValue[],
  signal: AbortSignal,
): Promise<readonly Row[]> {
  const [key] = table.identity;
  if (key === undefined || table.identity.length > 1) {
    throw new SourceFailure(
      'other',
      'SVC_S1101',
      `Rows of "${table.schema}"."${table.name}" cannot be read by their key: it is not a single column.`,
    );
  }
  const shape = await readShape(queries, table);
  await types.load(shape.columns.map(({ type }) => type));
  const columns = toColumns(shape.columns, types, options);
  const conditions = [...shape.conditions, `${quoteName(key.name)} = ANY ($1)`].join(' AND ');
  const rows: Row[] = [];
  for (let from = 0; from < keys.length && !signal.aborted; from += keysAtOnce) {
    const some = keys.slice(from, from + keysAtOnce).map(String);
    for (const fields of await queries.texts(`${shape.select} WHERE ${conditions}`, [some])) {
      const result = toRow(columns, fields);
      if (result.kind === 'row') rows.push(result.row);
    }
  }
  return rows;
}
