import type { NewTable, RowProblem, StoredTable } from '../storage.ts';
import { columnsOf, problemsText, tableOf } from '../tableRows.ts';
import type { Database } from './database.ts';
import { demandSound } from './recordChecks.ts';

/** The tables of a deployment. All methods run inside of transactions. */
interface Tables {
  all(): readonly StoredTable[];
  put(table: NewTable | StoredTable): StoredTable;
  putProblems(id: number, problems: readonly RowProblem[]): void;
  delete(id: number): void;
}

export function openTables({ writing }: Database, deployment: number): Tables {
  const select = writing.prepare('SELECT * FROM tables WHERE deployment = ? ORDER BY id');
  const insert = writing.prepare(
    `INSERT INTO tables (deployment, schema_name, name, oid, identity, identity_kind, copied, progress, shape, beside)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const update = writing.prepare(
    `UPDATE tables SET schema_name = ?, name = ?, oid = ?, identity = ?, identity_kind = ?, copied = ?, progress = ?,
       shape = ?, beside = ?
     WHERE id = ? AND deployment = ?`,
  );
  const setProblems = writing.prepare('UPDATE tables SET row_problems = ? WHERE id = ? AND deployment = ?');
  const remove = writing.prepare('DELETE FROM tables WHERE id = ? AND deployment = ?');
  return {
    all: () => demandSound(select.all(deployment), 'tables').map(tableOf),
    put: (table) => {
      const columns = columnsOf(table);
      if ('id' in table) {
        update.run(...columns, table.id, deployment);
        return table;
      }
      return { ...table, id: Number(insert.run(deployment, ...columns).lastInsertRowid) };
    },
    putProblems: (id, problems) => {
      setProblems.run(problemsText(problems), id, deployment);
    },
    delete: (id) => {
      remove.run(id, deployment);
    },
  };
}
