/**
 * How much a table has: counted in some of its pages. The statistics of the server may be as old as its last ANALYZE, or not
 * there, and know nothing of the publication's conditions.
 */
import type { TableInfo, TableMeasure } from '../../source.ts';
import { quoteTable } from '../identifiers.ts';
import type { Queries } from '../queries.ts';
import { readShape } from './shape.ts';

/** So many that the error is some 2 % where pages have about as many rows each; fewer are all read. */
const sampledPages = 2_000;

export async function measureTable(queries: Queries, table: TableInfo): Promise<TableMeasure> {
  const { conditions } = await readShape(queries, table);
  const size = await queries.one<TableSize>(
    `SELECT pg_relation_size($1::oid::regclass) / current_setting('block_size')::int AS pages,
       pg_table_size($1::oid::regclass) AS bytes`,
    [table.oid],
  );
  const pages = Number(size.pages);
  const percent = pages <= sampledPages ? 100 : (100 * sampledPages) / pages;
  const published = conditions.length === 0 ? 'true' : conditions.join(' AND ');
  const counts = await queries.one<RowCounts>(
    `SELECT count(*) AS stored, count(*) FILTER (WHERE ${published}) AS published
     FROM ONLY ${quoteTable(table)} TABLESAMPLE SYSTEM (${percent})`,
  );
  const rows = (count: string) => Math.round((100 * Number(count)) / percent);
  const stored = rows(counts.stored);
  return { rows: rows(counts.published), bytesPerRow: stored === 0 ? 0 : Number(size.bytes) / stored };
}

/** Of 64 bits, as texts. */
interface TableSize {
  readonly pages: string;
  readonly bytes: string;
}

interface RowCounts {
  readonly stored: string;
  readonly published: string;
}
