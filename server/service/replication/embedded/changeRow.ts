/** Inserts, updates or deletes one row of the embedded database, by its primary key and with bound values. */
import { quoteName } from '../../../engine/sql/names.ts';
import { type RowEdit, SourceFailure, type WrittenRow } from '../source.ts';
import { ownSchema } from './capture.ts';
import type { EmbeddedDatabase } from './database.ts';
import { positionIn } from './slots.ts';

type Values = RowEdit['values'];

export async function changeRow(
  database: Pick<EmbeddedDatabase, 'query' | 'queryAsUser'>,
  change: RowEdit,
): Promise<WrittenRow> {
  const keys = await keysOf(database, change);
  const { sql, values } = statementOf(change, keys);
  const { rows } = await database.queryAsUser(sql, values);
  const [row] = rows;
  if (row === undefined)
    throw refusal(`There is no row with this key in ${change.table}, so nothing was changed.`);
  const key = Object.fromEntries(keys.map((name, index) => [name, row[index] ?? null]));
  return { key, position: await positionIn(database) };
}

const primaryKey = `SELECT a.attname FROM pg_index i
  JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = ANY (i.indkey)
  WHERE i.indisprimary AND i.indrelid = to_regclass($1)
  ORDER BY array_position(i.indkey::int2[], a.attnum)`;

async function keysOf(
  database: Pick<EmbeddedDatabase, 'query'>,
  change: RowEdit,
): Promise<readonly string[]> {
  const { schema, table } = change;
  if (schema === ownSchema) throw refusal(`The schema ${schema} belongs to the service.`);
  if (/^(pg_|information_schema$)/.test(schema)) throw refusal(`The schema ${schema} belongs to PostgreSQL.`);
  const { rows } = await database.query(primaryKey, [nameOf(change)]);
  const keys = rows.map(([name]) => String(name));
  if (keys.length > 0) return keys;
  throw refusal(`${table} is not a table or has no primary key, so its rows cannot be identified.`);
}

interface Statement {
  readonly sql: string;
  readonly values: readonly (string | null)[];
}

function statementOf(change: RowEdit, keys: readonly string[]): Statement {
  const table = nameOf(change);
  const returning = `RETURNING ${keys.map(quoteName).join(', ')}`;
  if (change.kind === 'insert') {
    const names = Object.keys(change.values);
    const columns =
      names.length === 0
        ? 'DEFAULT VALUES'
        : `(${names.map(quoteName).join(', ')}) VALUES (${names.map((_, index) => `$${index + 1}`).join(', ')})`;
    return { sql: `INSERT INTO ${table} ${columns} ${returning}`, values: Object.values(change.values) };
  }
  const key = wholeKey(change.key, keys);
  if (change.kind === 'delete')
    return { sql: `DELETE FROM ${table} WHERE ${equals(key, 0)} ${returning}`, values: Object.values(key) };
  const names = Object.keys(change.values);
  if (names.length === 0) throw refusal('No column has a value.');
  const set = names.map((name, index) => `${quoteName(name)} = $${index + 1}`).join(', ');
  return {
    sql: `UPDATE ${table} SET ${set} WHERE ${equals(key, names.length)} ${returning}`,
    values: [...Object.values(change.values), ...Object.values(key)],
  };
}

/** Returns the key if it has exactly the columns of the primary key, so that at most one row matches. */
function wholeKey(given: Values, keys: readonly string[]): Values {
  const isWhole =
    keys.length === Object.keys(given).length && keys.every((name) => Object.hasOwn(given, name));
  if (isWhole) return given;
  throw refusal(`The whole primary key is required: ${keys.join(', ')}.`);
}

function equals(key: Values, before: number): string {
  return Object.keys(key)
    .map((name, index) => `${quoteName(name)} = $${before + index + 1}`)
    .join(' AND ');
}

function nameOf({ schema, table }: RowEdit): string {
  return `${quoteName(schema)}.${quoteName(table)}`;
}

function refusal(message: string): SourceFailure {
  return new SourceFailure('other', 'SVC_S1120', message);
}
