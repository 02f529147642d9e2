/**
 * Measures the size of a table: from the statistics of the server if few rows have changed since then, or else by counting the
 * rows in some of its pages. The statistics do not consider the publication's conditions.
 */
import type { TableInfo, TableMeasure } from '../../source.ts';
import { quoteTable } from '../identifiers.ts';
import type { Queries } from '../queries.ts';
import { readShape } from './shape.ts';

/**
 * The number of pages to count. The error is about 2 % if all pages have a similar number of rows. A table with fewer pages is
 * read completely.
 */
const sampledPages = 2_000;
/** The share of a table that may have changed since its statistics were collected. */
const mostChanged = 0.05;
/**
 * Numbers of pages whose rows are copied in a moment: differences of up to `more` pages, and all changes in tables of up to `all`
 * pages, do not matter.
 */
const fewPages = { more: 10, all: 50 };

export async function measureTable(queries: Queries, table: TableInfo): Promise<TableMeasure> {
  const { conditions } = await readShape(queries, table);
  const found = await queries.one<Record<keyof TableStatistics, string>>(statistics, [table.sourceId]);
  const known: TableStatistics = {
    rows: Number(found.rows),
    changed: Number(found.changed),
    pagesThen: Number(found.pagesThen),
    pages: Number(found.pages),
    bytes: Number(found.bytes),
  };
  const { rows, stored } =
    conditions.length === 0 && isFresh(known)
      ? { rows: known.rows, stored: known.rows }
      : await countSome(queries, table, known.pages, conditions);
  return { rows, bytesPerRow: stored === 0 ? 0 : known.bytes / stored };
}

interface TableStatistics {
  /** Negative if unknown. */
  readonly rows: number;
  /** The number of rows that have changed since the statistics were collected. */
  readonly changed: number;
  readonly pagesThen: number;
  readonly pages: number;
  /** The size in bytes, including large values. */
  readonly bytes: number;
}

const statistics = `
SELECT c.reltuples AS rows, pg_stat_get_mod_since_analyze(c.oid) AS changed, c.relpages AS "pagesThen",
  pg_relation_size(c.oid) / current_setting('block_size')::int AS pages, pg_table_size(c.oid) AS bytes
FROM pg_catalog.pg_class c WHERE c.oid = $1`;

/**
 * Whether the statistics are fresh enough. A crash of the server resets the counts of changes, but the size of the table shows
 * most of these changes.
 */
function isFresh({ rows, changed, pagesThen, pages }: TableStatistics): boolean {
  const isNear = Math.abs(pages - pagesThen) <= Math.max(fewPages.more, mostChanged * pagesThen);
  return rows > 0 && isNear && (pages <= fewPages.all || changed <= mostChanged * rows);
}

async function countSome(
  queries: Queries,
  table: TableInfo,
  pages: number,
  conditions: readonly string[],
): Promise<{ readonly rows: number; readonly stored: number }> {
  const percent = pages <= sampledPages ? 100 : (100 * sampledPages) / pages;
  const published = conditions.length === 0 ? 'true' : conditions.join(' AND ');
  // 64-bit numbers are returned as text.
  const counts = await queries.one<{ readonly stored: string; readonly published: string }>(
    `SELECT count(*) AS stored, count(*) FILTER (WHERE ${published}) AS published
     FROM ONLY ${quoteTable(table)} TABLESAMPLE SYSTEM (${percent})`,
  );
  const all = (count: string) => Math.round((100 * Number(count)) / percent);
  return { rows: all(counts.published), stored: all(counts.stored) };
}
