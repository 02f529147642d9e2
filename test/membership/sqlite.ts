/** The rows that the queries select in SQLite: an oracle that shares no code with the engine. */
import { DatabaseSync } from 'node:sqlite';
import type { Membership } from './engines.ts';
import type { Query } from './query.ts';
import { columns, type Request_, tables, type World } from './world.ts';

export function sqliteMembership(queries: readonly Query[], { rows, requests }: World): Membership {
  const database = new DatabaseSync(':memory:');
  try {
    for (const table of tables) {
      database.exec(`CREATE TABLE ${table} (id, ${Object.keys(columns[table]).join(', ')})`);
    }
    for (const { table, record } of rows) {
      const names = Object.keys(record);
      const marks = names.map(() => '?').join(', ');
      database
        .prepare(`INSERT INTO ${table} (${names.join(', ')}) VALUES (${marks})`)
        .run(...Object.values(record));
    }
    return requests.map((request) => reached(database, queries, request));
  } finally {
    database.close();
  }
}

function reached(database: DatabaseSync, queries: readonly Query[], request: Request_): readonly string[] {
  const found = queries.flatMap((query) =>
    database
      .prepare(query.sqlite(request))
      .all()
      .map(({ id }) => String(id)),
  );
  return [...new Set(found)].sort();
}
