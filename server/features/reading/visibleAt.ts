/** Finds the names that an SQL text can use: CTEs, the schema, and columns that other queries of the file use. */
import type { Analysis, PlacedDefinition } from '../../engine/index.ts';
import type { Cte } from '../../engine/model/definition.ts';
import { keyFrom } from '../../engine/names/symbols.ts';
import type { VisibleWorld } from '../../engine/names/visible.ts';
import { namesInRuns } from './mentions.ts';
import type { SqlPlace } from './sqlAt.ts';

export interface Reach extends VisibleWorld {
  /** The CTEs that can be used here. */
  readonly ctes: readonly Cte[];
  readonly definition?: PlacedDefinition | undefined;
}

export function reachOf(analysis: Analysis, { role, owner }: Pick<SqlPlace, 'role' | 'owner'>): Reach {
  const { config } = analysis;
  const { catalog, defaultSchema = 'public', ctes: globals = [] } = config?.surroundings ?? {};
  const definition = config?.definitions.find(
    ({ definition: one }) => one.name === owner && isOf(role, one.kind),
  );
  const own = definition?.definition.kind === 'stream' ? definition.definition.ctes : [];
  const names = new Set(own.map(({ name }) => name.toLowerCase()));
  const ctes =
    role === 'stream' ? [...own, ...globals.filter(({ name }) => !names.has(name.toLowerCase()))] : [];
  return {
    ctes,
    definition,
    catalog,
    defaultSchema,
    findCte: (name) => ctes.find((cte) => cte.name.toLowerCase() === name.toLowerCase()),
    usedColumns: (schema, table) => usedColumns(analysis, schema, table),
  };
}

function isOf(role: SqlPlace['role'], kind: PlacedDefinition['definition']['kind']): boolean {
  if (role === 'parameters' || role === 'data') return kind === 'bucket-definition';
  return role === 'payload' ? kind === 'event' : kind === 'stream';
}

/** Returns the columns in the order of their first use. */
function usedColumns(analysis: Analysis, schema: string, table: string): readonly string[] {
  const key = keyFrom(schema, table);
  const names = new Set<string>();
  for (const { columns } of namesInRuns(analysis)) for (const name of columns.get(key) ?? []) names.add(name);
  return [...names];
}

/** Returns tables that queries of the file read. Used when there is no schema. */
export function usedTables(
  analysis: Analysis,
): readonly { readonly schema: string; readonly name: string }[] {
  const found = new Map<string, { readonly schema: string; readonly name: string }>();
  for (const { tables } of namesInRuns(analysis)) for (const [key, table] of tables) found.set(key, table);
  return [...found.values()];
}
