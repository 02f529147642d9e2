/** Ad hoc queries to the source, if the service config allows them. They cannot write. */
import { jsonValue } from '../../engine/index.ts';
import type { Parameters } from '../http/route.ts';
import type { ApiParts } from './parts.ts';

interface Sql {
  readonly query: string;
  readonly args: readonly (string | number | boolean)[];
}

export function problemsInSql({ sql }: Parameters): readonly string[] {
  if (sql === undefined) return [`The property 'sql' is missing.`];
  if (typeof sql !== 'object' || sql === null) return [`The property 'sql' must be an object.`];
  const { query, args } = sql as Partial<Record<keyof Sql, unknown>>;
  return [
    ...(typeof query === 'string' ? [] : [`The property 'sql.query' must be a string.`]),
    ...(Array.isArray(args) && args.every(isArgument)
      ? []
      : [`The property 'sql.args' must be a list of strings, numbers, true and false.`]),
  ];
}

function isArgument(value: unknown): boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}

export async function executeSql(
  parameters: Parameters,
  { source, debugApi }: ApiParts,
  signal: AbortSignal,
): Promise<unknown> {
  const nothing = { columns: [], rows: [] };
  if (!debugApi) return { success: false, results: nothing, error: 'SQL querying is not enabled' };
  const { query, args } = parameters.sql as Sql;
  try {
    const { columns, rows, truncated } = await source.query(query, args, signal);
    const results = { columns, rows: rows.map((row) => row.map(jsonValue)) };
    return { success: true, results, ...(truncated && { truncated }) };
  } catch (error) {
    return {
      success: false,
      results: nothing,
      error: error instanceof Error ? error.message : String(error),
    };
  }
}
