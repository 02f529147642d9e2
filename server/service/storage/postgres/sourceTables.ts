/** The tables of the source that a deployment replicates, in the PostgreSQL storage. */
import type { NewTable, RowProblem, StoredTable } from '../storage.ts';
import { columnsOf, problemsText, tableOf } from '../tableRows.ts';
import type { Run } from './database.ts';
import { schema } from './schema.ts';

const table = `${schema}.tables`;

export async function allTables(run: Run, deployment: number): Promise<readonly StoredTable[]> {
  return (await run(`SELECT * FROM ${table} WHERE deployment = $1 ORDER BY id`, [deployment])).map(tableOf);
}

export async function putTable(
  run: Run,
  deployment: number,
  stored: NewTable | StoredTable,
): Promise<StoredTable> {
  const columns = columnsOf(stored);
  if ('id' in stored) {
    await run(
      `UPDATE ${table} SET schema_name = $3, name = $4, oid = $5, identity = $6, identity_kind = $7, copied = $8,
         progress = $9, shape = $10, beside = $11 WHERE deployment = $1 AND id = $2`,
      [deployment, stored.id, ...columns],
    );
    return stored;
  }
  const [{ id = 0 } = {}] = await run<{ id: number }>(
    `INSERT INTO ${table} (deployment, schema_name, name, oid, identity, identity_kind, copied, progress, shape, beside)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) RETURNING id`,
    [deployment, ...columns],
  );
  return { ...stored, id };
}

export async function putRowProblems(
  run: Run,
  deployment: number,
  id: number,
  problems: readonly RowProblem[],
): Promise<void> {
  const sql = `UPDATE ${table} SET row_problems = $3 WHERE deployment = $1 AND id = $2`;
  await run(sql, [deployment, id, problemsText(problems)]);
}

export async function deleteTable(run: Run, deployment: number, id: number): Promise<void> {
  await run(`DELETE FROM ${table} WHERE deployment = $1 AND id = $2`, [deployment, id]);
}
