/** The latest stored version of each source row, in the PostgreSQL storage. */
import { readLists, writeLists } from '../rowLists.ts';
import type { CurrentRow, RowWrite } from '../storage.ts';
import type { Run } from './database.ts';
import { schema } from './schema.ts';

const table = `${schema}.current_rows`;
const columns = 'source_key::text AS key, lists, row_values AS values';

interface Row {
  readonly key: string;
  readonly lists: string;
  readonly values: Buffer | null;
}

/**
 * Returns the rows in the order of the keys. A statement returns about `most` bytes of values; a larger row is returned
 * separately.
 */
export async function currentRows(
  run: Run,
  sourceTable: number,
  keys: readonly string[],
  most: number,
): Promise<readonly (CurrentRow | undefined)[]> {
  const byKey = new Map<string, CurrentRow>();
  let wanted = keys;
  while (wanted.length > 0) {
    const rows = await run<FetchedRow>(fetch, [sourceTable, wanted, most]);
    for (const row of rows) if (!row.is_left) byKey.set(row.key, currentRowOf(row));
    wanted = rows.filter((row) => row.is_left).map(({ key }) => key);
  }
  return keys.map((key) => byKey.get(key));
}

interface FetchedRow extends Row {
  /** Whether the row must be read by the next statement. */
  readonly is_left: boolean;
}

const fetch = `
  WITH found AS (
    SELECT ${columns}, coalesce(sum(octet_length(row_values)) OVER (
      ORDER BY source_key ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) >= $3 AS is_left
    FROM ${table} WHERE source_table = $1 AND source_key = ANY ($2::uuid[]))
  SELECT key, is_left, CASE WHEN is_left THEN '' ELSE lists END AS lists, CASE WHEN NOT is_left THEN values END AS values
  FROM found`;

export async function someRows(run: Run, sourceTable: number, limit: number): Promise<readonly CurrentRow[]> {
  const sql = `SELECT ${columns} FROM ${table} WHERE source_table = $1 LIMIT $2`;
  return (await run<Row>(sql, [sourceTable, limit])).map(currentRowOf);
}

/** Returns rows in the order of their keys, without their values. */
export async function rowsAfter(
  run: Run,
  sourceTable: number,
  after: string | undefined,
  limit: number,
): Promise<readonly CurrentRow[]> {
  const rows = await run<Row & Record<string, unknown>>(
    `SELECT source_key::text AS key, lists, NULL::bytea AS values FROM ${table}
     WHERE source_table = $1 ${after === undefined ? '' : 'AND source_key > $3::uuid'}
     ORDER BY source_key LIMIT $2`,
    after === undefined ? [sourceTable, limit] : [sourceTable, limit, after],
  );
  return rows.map(currentRowOf);
}

/** Writes rows. If a row changes several times, the last change counts. */
export async function writeRows(run: Run, writes: readonly RowWrite[]): Promise<void> {
  const changing = writes.filter(({ isStored }) => !isStored);
  const last = new Map(changing.map((write) => [`${write.table} ${write.key}`, write]));
  const gone: RowWrite[] = [];
  const puts: { readonly write: RowWrite; readonly lists: string; readonly values: Uint8Array | null }[] = [];
  for (const write of last.values()) {
    if (write.current === null) gone.push(write);
    else puts.push({ write, lists: writeLists(write.current), values: write.current.values ?? null });
  }
  if (gone.length > 0) {
    await run(
      `DELETE FROM ${table} USING unnest($1::bigint[], $2::uuid[]) AS gone (source_table, source_key)
       WHERE ${table}.source_table = gone.source_table AND ${table}.source_key = gone.source_key`,
      [gone.map((write) => write.table), gone.map(({ key }) => key)],
    );
  }
  if (puts.length === 0) return;
  await run(
    `INSERT INTO ${table} SELECT * FROM unnest($1::bigint[], $2::uuid[], $3::text[], $4::bytea[])
     ON CONFLICT (source_table, source_key) DO UPDATE SET lists = excluded.lists, row_values = excluded.row_values`,
    [
      puts.map(({ write }) => write.table),
      puts.map(({ write }) => write.key),
      puts.map(({ lists }) => lists),
      puts.map(({ values }) => (values === null ? null : Buffer.from(values))),
    ],
  );
}

function currentRowOf({ key, lists, values }: Row): CurrentRow {
  return { key, values: values === null ? undefined : new Uint8Array(values), ...readLists(lists) };
}
