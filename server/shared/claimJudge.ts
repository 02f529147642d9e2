/** Judges claims with SQLite: writes the rows into an in-memory database, which evaluates the condition. */
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import {
  type ClaimAnswer,
  type ClaimJudge,
  type ClaimQuestion,
  claimFunctions,
  quoteName,
  valueForClaim,
} from '../engine/index.ts';

export interface OpenJudge {
  readonly judge: ClaimJudge;
  readonly close: () => void;
}

interface Layout {
  readonly database: DatabaseSync;
  readonly empty: readonly StatementSync[];
  readonly inserts: ReadonlyMap<
    string,
    { readonly statement: StatementSync; readonly columns: readonly string[] }
  >;
  readonly questions: Map<string, StatementSync>;
}

/** Loads SQLite only when there are claims, because some versions of Node print a warning when SQLite is loaded. */
export async function openJudge(): Promise<OpenJudge> {
  const { DatabaseSync: Database } = await import('node:sqlite');
  const layouts = new Map<string, Layout>();
  let asking: ClaimQuestion['asking'] = { claims: {}, parameters: {}, subscriptions: [] };

  function layoutOf(tables: ReadonlyMap<string, ReadonlySet<string>>): Layout {
    const key = [...tables]
      .map(([table, columns]) => [table, ...columns].map((name) => JSON.stringify(name)).join())
      .join(';');
    const known = layouts.get(key);
    if (known !== undefined) return known;
    const database = new Database(':memory:');
    for (const name of Object.keys(claimFunctions) as (keyof typeof claimFunctions)[])
      database.function(name, { varargs: true }, (...[argument]) => valueForClaim(name, argument, asking));
    const inserts: Layout['inserts'] = new Map(
      [...tables].map(([table, named]) => {
        // The columns have no types, so SQLite does not convert the values.
        const columns = distinct([...named]);
        database.exec(`CREATE TABLE ${quoteName(table)} (${columns.map(quoteName).join(', ')})`);
        const statement = database.prepare(
          `INSERT INTO ${quoteName(table)} (${columns.map(quoteName).join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
        );
        return [table, { statement, columns }];
      }),
    );
    const empty = [...tables.keys()].map((table) => database.prepare(`DELETE FROM ${quoteName(table)}`));
    const made = { database, empty, inserts, questions: new Map() };
    layouts.set(key, made);
    return made;
  }

  return {
    judge(question): ClaimAnswer {
      try {
        const { rows, table, sql } = question;
        const layout = layoutOf(tablesOf(question));
        for (const statement of layout.empty) statement.run();
        let first: number | bigint = 0;
        for (const [index, { table: name, values }] of rows.entries()) {
          const insert = layout.inserts.get(name);
          if (insert === undefined) continue;
          const { lastInsertRowid } = insert.statement.run(
            ...insert.columns.map((column) => (values[column] ?? null) as SQLInputValue),
          );
          if (index === 0) first = lastInsertRowid;
        }
        asking = question.asking;
        const source = rows[0]?.table ?? table;
        const text = `SELECT (${sql}\n) AS holds FROM ${quoteName(source)} AS ${quoteName(table)} WHERE ${quoteName(table)}.rowid = ?`;
        const statement = layout.questions.get(text) ?? layout.database.prepare(text);
        layout.questions.set(text, statement);
        const holds = statement.get(first)?.holds;
        return typeof holds === 'number' && holds !== 0 ? 'holds' : 'does not hold';
      } catch (error) {
        return { reason: `${error instanceof Error ? error.message : String(error)}.` };
      }
    },
    close() {
      for (const { database } of layouts.values()) database.close();
    },
  };
}

/** Returns the tables with their known columns and the columns of the rows. */
function tablesOf({ rows, columns, table }: ClaimQuestion): ReadonlyMap<string, ReadonlySet<string>> {
  const tables = new Map([...columns].map(([name, known]) => [name, known]));
  if (!tables.has(table)) tables.set(table, new Set(['id']));
  for (const row of rows) {
    const known = tables.get(row.table) ?? new Set<string>();
    const more = Object.keys(row.values).filter((name) => !known.has(name));
    if (more.length > 0) tables.set(row.table, new Set([...known, ...more]));
    else if (!tables.has(row.table)) tables.set(row.table, known);
  }
  return tables;
}

/** Drops names that differ only in case, because SQLite treats `Id` and `id` as the same column. */
function distinct(columns: readonly string[]): readonly string[] {
  return [...new Map(columns.map((name) => [name.toLowerCase(), name])).values()];
}
