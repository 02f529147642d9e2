/** Lists the tables of the project in an embedded database. */
import { readSourceSchema } from '../postgres/schemaAnswer.ts';
import type { ListedTable, SourceSchema } from '../source.ts';
import { ownSchema } from './capture.ts';
import type { Answer } from './database/protocol.ts';

export async function listTables(query: (sql: string) => Promise<Answer>): Promise<readonly SourceSchema[]> {
  const all = async <Row>(sql: string): Promise<readonly Row[]> => {
    const { rows } = await query(`SELECT coalesce(json_agg(found), '[]') FROM (${sql}) AS found`);
    return JSON.parse(rows[0]?.[0] ?? '[]') as Row[];
  };
  const schemas = await readSourceSchema({ all });
  return schemas
    .filter(({ name }) => name !== ownSchema)
    .map(({ name, tables }) => ({ name, tables: tables.map(asCaptured) }));
}

/** Returns a table whose changes triggers can capture. This includes unlogged tables. */
function asCaptured({ form, ...table }: ListedTable): ListedTable {
  return form === undefined || form === 'unlogged table' ? table : { ...table, form };
}
