/**
 * Detects replica identities that the log contains only in part, so that it does not show which row a change belongs to: keys with
 * generated columns, whose changes the server refuses only since version 18, and keys outside the column list of the publication,
 * to which rows can still be added.
 */
import { quoteName } from '../../../engine/sql/names.ts';
import { type PreflightProblem, repairable } from '../preflight.ts';
import { publication } from './health.ts';
import { quoteTable } from './identifiers.ts';

interface Table {
  readonly schema: string;
  readonly name: string;
}

/** The columns of a replica identity that the log does not contain. */
export interface UnloggedKey {
  readonly generated_key: readonly string[];
  /** The columns that the publication does not list. */
  readonly withheld_key: readonly string[];
}

const isGenerated = `COALESCE(pg_catalog.to_jsonb(g) ->> 'attgenerated', '') <> ''`;
const isListed = `COALESCE(pg_catalog.to_jsonb(p) -> 'attnames' ? g.attname::text, true)`;

const columnsWhere = (condition: string) => `ARRAY(SELECT g.attname::text FROM pg_catalog.pg_attribute g
  WHERE g.attrelid = c.oid AND g.attnum > 0 AND NOT g.attisdropped AND ${condition} ORDER BY g.attnum)`;
const isInIndex = 'g.attnum = ANY ((i.indkey::int2[])[0:i.indnkeyatts - 1])';

/**
 * SQL for the columns of {@link UnloggedKey}. `c` is the table, `i` its identity index, and `p` its row of pg_publication_tables. A
 * full identity does not need generated columns, because they follow from the others.
 */
export const generatedKey = columnsWhere(
  `${isInIndex} AND ${isGenerated} AND (current_setting('server_version_num')::int < 180000 OR NOT ${isListed})`,
);
export const withheldKey = columnsWhere(
  `(c.relreplident = 'f' OR ${isInIndex}) AND NOT ${isGenerated} AND NOT ${isListed}`,
);

export function generatedKeyProblem(table: Table, columns: readonly string[]): PreflightProblem {
  const name = quoteTable(table);
  return repairable(
    {
      level: 'fatal',
      code: 'SVC_S1168',
      cause: `Rows of ${name} cannot be identified, because its key contains generated columns (${listOf(columns)}), which the source does not publish.`,
    },
    `ALTER TABLE ${name} REPLICA IDENTITY FULL;`,
  );
}

/** Returns the first problem. */
export function unloggedKeyProblem(
  table: Table,
  { generated_key, withheld_key }: UnloggedKey,
): PreflightProblem | undefined {
  if (generated_key.length > 0) return generatedKeyProblem(table, generated_key);
  if (withheld_key.length === 0) return undefined;
  const name = quoteTable(table);
  return repairable(
    {
      level: 'fatal',
      code: 'SVC_S1168',
      cause: `Rows of ${name} cannot be identified, because the publication "${publication}" does not send these columns of its replica identity: ${listOf(withheld_key)}.`,
    },
    ...republish(name),
  );
}

/** Returns the statements that publish the whole table instead of some of its columns and rows. */
export function republish(name: string): readonly string[] {
  return [
    `ALTER PUBLICATION ${publication} DROP TABLE ${name};`,
    `ALTER PUBLICATION ${publication} ADD TABLE ${name};`,
  ];
}

function listOf(columns: readonly string[]): string {
  return columns.map(quoteName).join(', ');
}
