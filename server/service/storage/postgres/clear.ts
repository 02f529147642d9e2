import type { Database } from './database.ts';
import { schema } from './schema.ts';

/** Rows per statement. */
const batch = 50_000;
/** Buckets or tables whose rows are looked for with one statement. */
const group = 1_000;

/** Deletes all that is stored for a deployment but its record. Ends early, between batches, when aborted. */
export async function clearDeployment(
  { run }: Pick<Database, 'run'>,
  deployment: number,
  buckets: 'keep buckets' | 'delete buckets',
  signal?: AbortSignal,
): Promise<void> {
  const repeat = async (sql: string, ids: readonly number[]) => {
    for (let left = true; left && !signal?.aborted; ) {
      const [{ count = 0 } = {}] = await run<{ count: number }>(
        `WITH deleted AS (${sql} RETURNING 1) SELECT count(*) AS count FROM deleted`,
        [ids],
      );
      left = count > 0;
    }
  };
  const inGroups = async (table: string, sql: string) => {
    const rows = await run<{ id: number }>(`SELECT id FROM ${schema}.${table} WHERE deployment = $1`, [
      deployment,
    ]);
    const ids = rows.map(({ id }) => id);
    for (let start = 0; start < ids.length; start += group)
      await repeat(sql, ids.slice(start, start + group));
  };
  const some = (table: string, column: string) =>
    `DELETE FROM ${schema}.${table} WHERE ctid = ANY (ARRAY(
       SELECT ctid FROM ${schema}.${table} WHERE ${column} = ANY ($1::bigint[]) LIMIT ${batch}))`;

  await inGroups('buckets', some('ops', 'bucket'));
  await inGroups('tables', some('current_rows', 'source_table'));
  await repeat(some('lookups', 'deployment'), [deployment]);
  if (signal?.aborted) return;
  await run(`DELETE FROM ${schema}.tables WHERE deployment = $1`, [deployment]);
  if (buckets === 'delete buckets')
    await run(`DELETE FROM ${schema}.buckets WHERE deployment = $1`, [deployment]);
}

export async function clearExcept(
  { run }: Pick<Database, 'run'>,
  deployment: number,
  kept: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<void> {
  const names = [...kept];
  const gone = await run<{ id: number }>(
    `SELECT id FROM ${schema}.buckets WHERE deployment = $1 AND split_part(name, '[', 1) <> ALL ($2::text[])`,
    [deployment, names],
  );
  const repeat = async (sql: string, args: readonly unknown[]) => {
    for (let left = true; left && !signal.aborted; ) {
      const [{ count = 0 } = {}] = await run<{ count: number }>(
        `WITH deleted AS (${sql} RETURNING 1) SELECT count(*) AS count FROM deleted`,
        [...args],
      );
      left = count > 0;
    }
  };
  for (let start = 0; start < gone.length && !signal.aborted; start += group) {
    const ids = gone.slice(start, start + group).map(({ id }) => id);
    await repeat(
      `DELETE FROM ${schema}.ops WHERE ctid = ANY (ARRAY(
         SELECT ctid FROM ${schema}.ops WHERE bucket = ANY ($1::bigint[]) LIMIT ${batch}))`,
      [ids],
    );
    if (!signal.aborted) await run(`DELETE FROM ${schema}.buckets WHERE id = ANY ($1::bigint[])`, [ids]);
  }
  await repeat(
    `DELETE FROM ${schema}.lookups WHERE ctid = ANY (ARRAY(
       SELECT ctid FROM ${schema}.lookups
       WHERE deployment = $1 AND split_part(lookup, '[', 1) <> ALL ($2::text[]) LIMIT ${batch}))`,
    [deployment, names],
  );
}
