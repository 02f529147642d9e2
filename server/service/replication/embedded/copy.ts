/** Reads a table in pages. Nothing is locked: what changes meanwhile is in the log. */
import type { CopyProgress } from '../../storage/storage.ts';
import { readFields } from '../postgres/values/texts.ts';
import type { TableInfo } from '../source.ts';
import type { EmbeddedDatabase } from './database.ts';
import type { Description } from './tables.ts';

export interface TextPage {
  /** Composite texts. */
  readonly rows: readonly string[];
  readonly progress: CopyProgress;
  readonly isLast: boolean;
}

const PAGE = 10_000;

export async function* copyTexts(
  database: EmbeddedDatabase,
  table: TableInfo,
  { identity }: Description,
  from: CopyProgress | undefined,
): AsyncIterable<TextPage> {
  const name = `${quoteName(table.schema)}.${quoteName(table.name)}`;
  const keyed = table.identityKind !== 'full';
  const key = keyed ? identity.map((column) => `t.${quoteName(column.name)}`).join(', ') : 't.ctid';
  const casts = keyed ? identity.map(({ cast }) => cast) : ['tid'];
  const estimatedRows = Number((await database.query(`SELECT count(*) FROM ${name}`)).rows[0]?.[0]);
  let lastKey = keyed ? from?.lastKey : undefined;
  let copiedRows = lastKey === undefined ? 0 : (from?.copiedRows ?? 0);
  for (;;) {
    const after = lastKey === undefined ? [] : readFields(lastKey);
    const places = casts.map((cast, index) => `$${index + 1}::text::${cast}`).join(', ');
    const where = after.length === 0 ? '' : `WHERE (${key}) > (${places})`;
    const { rows } = await database.query(
      `SELECT t::text, ROW(${key})::text FROM ${name} AS t ${where} ORDER BY ${key} LIMIT ${PAGE}`,
      after,
    );
    lastKey = rows.at(-1)?.[1] ?? lastKey;
    copiedRows += rows.length;
    const isLast = rows.length < PAGE;
    yield {
      rows: rows.map(([text]) => text as string),
      progress: { copiedRows, estimatedRows, ...(keyed && lastKey !== undefined && { lastKey }) },
      isLast,
    };
    if (isLast) return;
  }
}

export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
