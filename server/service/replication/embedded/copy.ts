/** Reads a table in pages. Nothing is locked, because changes made meanwhile are in the log. */

import { quoteName } from '../../../engine/sql/names.ts';
import type { CopyProgress } from '../../storage/storage.ts';
import { readCopyLine } from '../postgres/copyText.ts';
import { quoteTable, quoteText } from '../postgres/identifiers.ts';
import type { TableInfo } from '../source.ts';
import type { EmbeddedDatabase } from './database.ts';
import type { Description } from './tables.ts';

interface LinePage {
  /** Lines of `COPY`, which begin with the columns of the table. */
  readonly lines: readonly string[];
  readonly progress: CopyProgress;
  readonly isLast: boolean;
}

/** The number of rows in the first page, which shows the size of rows. */
const firstPage = 200;
const mostRows = 10_000;
/** The maximum size of a page, because the database and the service both have the entire answer in memory. */
const pageBytes = 2 * 1024 * 1024;

export async function* copyLines(
  database: Pick<EmbeddedDatabase, 'queryAsUser' | 'copyOut'>,
  table: TableInfo,
  description: Description,
  from: CopyProgress | undefined,
): AsyncIterable<LinePage> {
  const { key, width } = keyOf(table, description);
  const estimatedRows = await countRows(database, table);
  let lastKey = table.identityKind === 'full' ? undefined : from?.lastKey;
  let copiedRows = lastKey === undefined ? 0 : (from?.copiedRows ?? 0);
  let limit = firstPage;
  for (;;) {
    const bytes = await database.copyOut(selectOf(table, description, key, lastKey, limit));
    const lines = linesIn(bytes);
    const last = lines.at(-1);
    if (last !== undefined) lastKey = JSON.stringify(readCopyLine(last).slice(width));
    copiedRows += lines.length;
    const isLast = lines.length < limit;
    const resumable = table.identityKind !== 'full' && lastKey !== undefined;
    yield { lines, progress: { copiedRows, estimatedRows, ...(resumable && { lastKey }) }, isLast };
    if (isLast) return;
    limit = Math.max(1, Math.min(mostRows, Math.floor((pageBytes * lines.length) / bytes.length)));
  }
}

interface Key {
  readonly expressions: readonly string[];
  /** The types of the expressions, as SQL names them. */
  readonly casts: readonly string[];
}

/** Returns the key. Rows without identity are identified by their place, which does not change until the table is vacuumed. */
function keyOf({ identityKind }: TableInfo, { identity, columns }: Description) {
  const key: Key =
    identityKind === 'full'
      ? { expressions: ['t.ctid'], casts: ['tid'] }
      : {
          expressions: identity.map(({ name }) => `t.${quoteName(name)}`),
          casts: identity.map(({ cast }) => cast),
        };
  return { key, width: columns.length };
}

async function countRows(database: Pick<EmbeddedDatabase, 'queryAsUser'>, table: TableInfo): Promise<number> {
  return Number((await database.queryAsUser(`SELECT count(*) FROM ${quoteTable(table)}`)).rows[0]?.[0]);
}

/** Selects the columns, followed by the key. */
function selectOf(
  table: TableInfo,
  { columns }: Description,
  { expressions, casts }: Key,
  lastKey: string | undefined,
  limit: number,
): string {
  const key = expressions.join(', ');
  const wanted = [...columns.map(({ name }) => `t.${quoteName(name)}`), ...expressions].join(', ');
  const after = lastKey === undefined ? [] : (JSON.parse(lastKey) as string[]);
  const place = after.map((value, index) => `${quoteText(value)}::${casts[index]}`).join(', ');
  const where = lastKey === undefined ? '' : `WHERE (${key}) > (${place})`;
  return `SELECT ${wanted} FROM ${quoteTable(table)} AS t ${where} ORDER BY ${key} LIMIT ${limit}`;
}

/** Returns the lines. Line feeds inside of values are escaped, so they do not split lines. */
function linesIn(bytes: Buffer): readonly string[] {
  if (bytes.length === 0) return [];
  return bytes.toString('utf8', 0, bytes.length - 1).split('\n');
}
