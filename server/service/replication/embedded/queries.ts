/** Questions about the embedded database, asked as of any PostgreSQL. Answers are JSON: in it, oids are texts. */
import type { Queries } from '../postgres/queries.ts';
import type { EmbeddedDatabase } from './database.ts';

export function toQueries(database: EmbeddedDatabase): Pick<Queries, 'all'> {
  return {
    async all<Row>(sql: string, args: readonly unknown[] = []) {
      const { rows } = await database.query(
        `SELECT coalesce(json_agg(found), '[]') FROM (${sql}) AS found`,
        args.map(toText),
      );
      return JSON.parse(rows[0]?.[0] ?? '[]') as Row[];
    },
  };
}

function toText(arg: unknown): string {
  return Array.isArray(arg) ? `{${arg.join(',')}}` : String(arg);
}
