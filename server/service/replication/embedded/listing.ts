/** Reads the catalog of an embedded database with the queries for a PostgreSQL server. */
import type { Queries } from '../postgres/queries.ts';
import { readSourceSchema } from '../postgres/schemaAnswer.ts';
import type { ListedTable, SourceSchema } from '../source.ts';
import { captureTrigger, ownSchema } from './capture.ts';
import type { Answer } from './database/protocol.ts';

type Catalog = Pick<Queries, 'all'>;

/** Returns the queries, whose rows the database returns as JSON. */
export function catalogOf(query: (sql: string) => Promise<Answer>): Catalog {
  return {
    async all<Row>(sql: string): Promise<readonly Row[]> {
      const { rows } = await query(`SELECT coalesce(json_agg(found), '[]') FROM (${sql}) AS found`);
      return JSON.parse(rows[0]?.[0] ?? '[]') as Row[];
    },
  };
}

/** Lists the tables of the project. */
export async function listTables(catalog: Catalog): Promise<readonly SourceSchema[]> {
  const schemas = await readSourceSchema(catalog);
  return schemas
    .filter(({ name }) => name !== ownSchema)
    .map(({ name, tables }) => ({ name, tables: tables.map(asCaptured) }));
}

/** Returns a table whose changes triggers can capture, with the project's own triggers. This includes unlogged tables. */
function asCaptured({ form, triggers, ...table }: ListedTable): ListedTable {
  const own = { ...table, triggers: triggers.filter(({ name }) => `"${name}"` !== captureTrigger) };
  return form === undefined || form === 'unlogged table' ? own : { ...own, form };
}
