/** Reads the rows of a source table as records, page by page, with the rights and limits of `execute-sql`. */
import { selectRecords } from '../../engine/index.ts';
import type { QueryResult, Source } from '../replication/source.ts';

interface RecordsWanted {
  readonly table: { readonly schema: string; readonly name: string };
  /** The text that the rows contain. Absent: all rows. */
  readonly search?: string;
  /** The beginning of the page; absent: that of the table. */
  readonly after?: string | undefined;
  /** The maximum number of rows. The limits of the source may allow fewer. */
  readonly limit: number;
}

interface RecordPage extends Pick<QueryResult, 'truncated'> {
  readonly records: readonly string[];
  /** The beginning of the next page; absent at the end of the table. */
  readonly after?: string;
}

export async function readRecords(
  source: Pick<Source, 'query'>,
  { table, search = '', after = '(0,0)', limit }: RecordsWanted,
  signal: AbortSignal,
): Promise<RecordPage> {
  const { rows, truncated } = await source.query(
    selectRecords(table),
    [search, after, String(limit)],
    signal,
  );
  const last = rows.at(-1)?.[1];
  const isLast = rows.length < limit && !truncated;
  const records = rows.map(([record]) => String(record));
  return { records, truncated, ...(!isLast && last && { after: String(last) }) };
}
