/**
 * How much a table has: by the statistics of the server, where few rows have changed since they were made; else counted in
 * some of its pages. The statistics know nothing of the publication's conditions.
 */
import type { TableInfo, TableMeasure } from '../../source.ts';
import { quoteTable } from '../identifiers.ts';
import type { Queries } from '../queries.ts';
import { readShape } from './shape.ts';

/** So many that the error is some 2 % where pages have about as many rows each; fewer are all read. */
const sampledPages = 2_000;
/** The part of a table that may be different since its statistics were made. */
const mostChanged = 0.05;
/** Their rows are copied in a moment: so many more or fewer do not matter, nor what happens in a table of so many. */
const fewPages = { more: 10, all: 50 };

export async function measureTable(queries: Queries, table: TableInfo): Promise<TableMeasure> {
  const { conditions } = await readShape(queries, table);
  const found = await queries.one<Record<keyof TableStatistics, string>>(statistics, [table.oid]);
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
  /** Rows, since then. */
  readonly changed: number;
  readonly pagesThen: number;
  readonly pages: number;
  /** The size in bytes, with large values. */
  readonly bytes: number;
}

const statistics = `
SELECT c.reltuples AS rows, pg_stat_get_mod_since_analyze(c.oid) AS changed, c.relpages AS "pagesThen",
  pg_relation_size(c.oid) / current_setting('block_size')::int AS pages, pg_table_size(c.oid) AS bytes
FROM pg_catalog.pg_class c WHERE c.oid = $1`;

/** Counts of changes are lost with a crash of the server; then the size shows most of them. */
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
  // Numbers of 64 bits are read as texts.
  const counts = await queries.one<{ readonly stored: string; readonly published: string }>(
    `SELECT count(*) AS stored, count(*) FILTER (WHERE ${published}) AS published
     FROM ONLY ${quoteTable(table)} TABLESAMPLE SYSTEM (${percent})`,
  );
  const all = (count: string) => Math.round((100 * Number(count)) / percent);
  return { rows: all(counts.published), stored: all(counts.stored) };
}
