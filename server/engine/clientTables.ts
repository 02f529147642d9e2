/** The tables on clients: the combined results of all queries of a sync config. */
import { type Config, plansOf } from './file/sync.ts';
import type { Catalog, CatalogTable, ColumnType } from './model/catalog.ts';
import type { Expression } from './plan/expression.ts';
import type { OutputColumn, RowRule, StreamPlan } from './plan/plan.ts';
import { rowRulesOf } from './plan/rowRules.ts';
import { knownTables } from './plan/tablePatterns.ts';
import { compareTexts } from './text/order.ts';

/** The column types that clients can get. BLOBs are never synced. */
type SyncedType = Exclude<ColumnType, 'blob'>;

export interface SyncedTable {
  readonly name: string;
  /** The columns other than `id`, which every table has. */
  readonly columns: readonly { readonly name: string; readonly type: SyncedType }[];
}

interface ClientTables {
  /** The tables sorted by name. Their columns are in the order of the queries. */
  readonly tables: readonly SyncedTable[];
  /** The names of tables that are read with `*` but are not in the catalog, so that their columns are unknown. */
  readonly unknown: readonly string[];
}

/** @param plans the plans whose rows count; default: all plans of the config */
export function clientTablesOf(
  config: Config,
  catalog: Catalog | undefined,
  plans: readonly StreamPlan[] = plansOf(config),
): ClientTables {
  const tables = new Map<string, Map<string, SyncedType>>();
  const unknown = new Set<string>();
  const rules = rowRulesOf(plans);
  for (const rule of rules) {
    const known = catalog === undefined ? [] : knownTables(catalog, rule.table);
    for (const name of namesOf(rule, known)) {
      const columns = tables.get(name) ?? new Map<string, SyncedType>();
      tables.set(name, columns);
      for (const column of rule.columns) addColumn(columns, column, known);
    }
    if (known.length === 0 && rule.columns.some(({ kind }) => kind === 'star'))
      unknown.add(rule.table.name.text);
  }
  return {
    tables: [...tables]
      .toSorted(([a], [b]) => compareTexts(a, b))
      .map(([name, columns]) => ({
        name,
        columns: [...columns].map(([column, type]) => ({ name: column, type })),
      })),
    unknown: [...unknown],
  };
}

function namesOf({ outputTable, table }: RowRule, known: readonly CatalogTable[]): readonly string[] {
  if (outputTable !== undefined) return [outputTable];
  return table.name.wildcard ? known.map(({ name }) => name) : [table.name.text];
}

function addColumn(
  columns: Map<string, SyncedType>,
  column: OutputColumn,
  known: readonly CatalogTable[],
): void {
  if (column.kind === 'column') {
    add(columns, column.name, typeOf(column.value, known));
    return;
  }
  for (const table of known)
    for (const { name, type } of table.columns.values())
      if (!column.visibleOnly || !name.startsWith('_')) add(columns, name, type);
}

/** Adds a column. Its type is text, which can hold any value, if the type is unknown or if two queries disagree about it. */
function add(columns: Map<string, SyncedType>, name: string, type: ColumnType | undefined): void {
  if (name === 'id' || type === 'blob') return;
  const before = columns.get(name);
  const given = type ?? 'text';
  const isNumber = before !== 'text' && given !== 'text';
  if (before === undefined || before === given) columns.set(name, given);
  else columns.set(name, isNumber ? 'real' : 'text');
}

const comparing: ReadonlySet<string> = new Set([
  'not',
  'is null',
  'is true',
  'is false',
  'between',
  'in',
  'in list',
  'overlap',
  '=',
  '<',
  '<=',
  '>',
  '>=',
  'and',
  'or',
  '&',
  '|',
  '<<',
  '>>',
]);

const ofIntegers: ReadonlySet<string> = new Set(['length', 'instr', 'unixepoch', 'json_array_length']);

function typeOf(value: Expression, known: readonly CatalogTable[]): ColumnType | undefined {
  switch (value.kind) {
    case 'column': {
      const types = new Set(known.map(({ columns }) => columns.get(value.name)?.type));
      return types.size === 1 ? [...types][0] : undefined;
    }
    case 'cast':
      return value.type === 'numeric' ? 'real' : value.type;
    case 'constant':
      return constantType(value.value);
    case 'operation':
      return comparing.has(value.op) ? 'integer' : arithmeticType(value.op, value.args, known);
    case 'function':
      return ofIntegers.has(value.name) ? 'integer' : undefined;
    default:
      return undefined;
  }
}

function constantType({ type }: Extract<Expression, { kind: 'constant' }>['value']): ColumnType | undefined {
  if (type === 'boolean' || type === 'integer') return 'integer';
  return type === 'real' ? 'real' : undefined;
}

function arithmeticType(
  op: string,
  args: readonly Expression[],
  known: readonly CatalogTable[],
): ColumnType | undefined {
  if (!['+', '-', '*', '/', '%'].includes(op)) return undefined;
  return args.every((arg) => typeOf(arg, known) === 'integer') ? 'integer' : 'real';
}
