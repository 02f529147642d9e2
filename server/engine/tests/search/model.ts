/**
 * The conditions that a search can decide for every database, and the limits beyond which it only tries samples.
 *
 * Decidable conditions are comparisons between columns, values of the request, elements of lists and constants, with `=`, IN, IS
 * NULL and the orderings, joined by AND, OR and NOT. The truth of such a condition depends only on which values are equal and on
 * which side of each constant they are. The domains of `values.ts` contain a value for each such case, so a search over all of them
 * has covered every database. Anything else is a limit, and a verdict that is affected by one is never *proven*.
 */
import type { Options } from '../../model/definition.ts';
import { childrenOf, type Expression } from '../../plan/expression.ts';
import type { Expansion, StreamPlan } from '../../plan/plan.ts';
import { type Cell, type CellScope, cellOf, isInside } from './cells.ts';
import { type Classes, requestScopeOf, type TableNaming, tableOfPattern } from './classes.ts';

/** The limits. Each text completes the sentence "It was not proven, because of …". */
export const modelLimits = {
  functions: 'functions such as upper() or length()',
  casts: 'casts',
  arithmetic: 'arithmetic and concatenation',
  case: 'CASE',
  json: 'JSON that is not read with ->> and a name',
  conditions: 'a value of unknown type used as a condition',
  lists: 'lists that a query compares as one value, or in more than one way',
  orders: 'orderings between columns',
  wildcards: 'a wildcard in the name of a table or a schema',
  metadata: 'the name of the table in a condition',
  options: 'different options of the configs',
  sqlite: 'the option unstable_sqlite_expression_engine',
  subqueries: 'a subquery of the claim that counts, aggregates or is not a plain SELECT',
  texts: 'LIKE, and other conditions of SQLite in the claim',
  references: 'rows that foreign keys require',
  columns: 'columns that the schema does not list',
  types: 'values of unknown type',
  subscriptions: 'the number of ways to subscribe',
  unreached: 'a query that sends no row in any tried database',
  size: 'the number of different values that matter',
  time: 'the time limit of the search',
} as const;

export type ModelLimit = keyof typeof modelLimits;

/**
 * Assumptions about the values of a plan that are true in practice. A proof relies on them, and the page about verdicts lists them.
 */
export const modelAssumptions = [
  'The `id` of a row is unique in its table.',
  'Equal numbers have one form: `1` and `1.0` are the same.',
  'No column contains NaN or an infinite number.',
  'The data types, NOT NULL, enums and the value lists of CHECK are those of the known schema.',
  'Date columns contain calendar dates from the year `1` to `9999`, and UUID columns contain UUIDs in lower case.',
  'The claims of a token have the types with which the config compares them.',
  'A query that fails for a row sends nothing for that row.',
] as const;

/** Returns a text such as `because of casts and the time limit of the search`. */
export function limitsText(limits: Iterable<ModelLimit>): string {
  const texts = [...new Set(limits)].map((limit) => modelLimits[limit]);
  const last = texts.pop() ?? '';
  return texts.length === 0 ? last : `${texts.join(', ')} and ${last}`;
}

interface PlanReading {
  readonly classes: Classes;
  readonly limits: Set<ModelLimit>;
  /** The ways in which the elements of each list are read. */
  readonly lists: Map<string, Set<string>>;
  readonly isBoolean: (cell: Cell) => boolean;
  readonly options: Options;
}

/** Adds every limit that the plan reaches. */
export function readLimits(plan: StreamPlan, naming: TableNaming, reading: PlanReading): void {
  const { limits, options } = reading;
  if (options.sqliteEngine) limits.add('sqlite');
  const scopeOf = (part: StreamPlan['lookups'][number] | StreamPlan['sources'][number]['rules'][number]) => ({
    table: tableOfPattern(part.table, naming),
    expansions: part.expansions,
  });
  for (const part of [...plan.sources.flatMap(({ rules }) => rules), ...plan.lookups]) {
    if (part.table.name.wildcard || part.table.schema.wildcard) limits.add('wildcards');
    const scope = scopeOf(part);
    for (const condition of part.filter) readCondition(condition, scope, reading);
    for (const value of 'keys' in part ? part.keys : [...part.inputs, ...part.outputs])
      readValue(value, scope, reading);
    readExpansions(part.expansions, scope, reading);
  }
  for (const { filter, steps, keys } of plan.routes) {
    for (const condition of filter) readCondition(condition, requestScopeOf(), reading);
    for (const step of steps)
      if (step.kind === 'expand') {
        const scope = requestScopeOf([step.expansion]);
        readExpansions([step.expansion], requestScopeOf(), reading);
        for (const condition of step.filter) readCondition(condition, scope, reading);
        for (const output of step.outputs) readValue(output, scope, reading);
      }
    const meetings = [...keys, ...steps.flatMap((step) => (step.kind === 'lookup' ? step.inputs : []))];
    for (const value of meetings.flat())
      if (value.kind === 'request') readValue(value.value, requestScopeOf(), reading);
  }
}

function readExpansions(expansions: readonly Expansion[], scope: CellScope, reading: PlanReading): void {
  for (const { function: name, args } of expansions) {
    const [list] = args;
    if (args.length !== 1 || list === undefined) reading.limits.add('lists');
    else readList(list, name, scope, reading);
  }
}

function readList(list: Expression, way: string, scope: CellScope, { limits, lists }: PlanReading): void {
  if (list.kind === 'constant') return;
  const cell = cellOf(list, scope);
  if (cell === undefined || cell.isElement) {
    limits.add('lists');
    return;
  }
  const key = JSON.stringify([cell.of, cell.path]);
  const ways = lists.get(key) ?? new Set();
  lists.set(key, ways.add(way));
  if (ways.size > 1) limits.add('lists');
}

function readCondition(condition: Expression, scope: CellScope, reading: PlanReading): void {
  const cell = cellOf(condition, scope);
  if (cell !== undefined) {
    if (!reading.isBoolean(cell)) reading.limits.add('conditions');
    readValue(condition, scope, reading);
    return;
  }
  if (condition.kind === 'constant') return;
  if (condition.kind !== 'operation') {
    readValue(condition, scope, reading);
    return;
  }
  const { op, args } = condition;
  switch (op) {
    case 'and':
    case 'or':
    case 'not':
    case 'is true':
    case 'is false':
      for (const arg of args) readCondition(arg, scope, reading);
      return;
    case '<':
    case '<=':
    case '>':
    case '>=':
    case 'between':
      if (args.filter((arg) => arg.kind !== 'constant').length > 1) reading.limits.add('orders');
      for (const arg of args) readValue(arg, scope, reading);
      return;
    case '=':
    case 'in list':
    case 'is null':
      for (const arg of args) readValue(arg, scope, reading);
      return;
    case 'in': {
      const [element, list] = args;
      if (element) readValue(element, scope, reading);
      if (list) readList(list, op, scope, reading);
      return;
    }
    default:
      readValue(condition, scope, reading);
  }
}

/** Reads a value. A cell or a constant is the value itself, and everything else is computed. */
function readValue(value: Expression, scope: CellScope, reading: PlanReading): void {
  const { limits, options } = reading;
  const cell = cellOf(value, scope);
  if (cell !== undefined) {
    // A JSON null is the text `null` if this option is off, and no tried document contains one.
    if ('table' in cell.of && cell.path.length > 1 && !options.fixedJsonExtract) limits.add('json');
    if (cell.path.length === 0) limits.add('json');
    if (value.kind === 'operation' && value.op === '->') limits.add('json');
    if (isReadWhole(cell, reading.classes)) limits.add('json');
    return;
  }
  if (value.kind === 'constant') return;
  limits.add(limitOf(value));
  for (const child of childrenOf(value)) readValue(child, scope, reading);
}

/** Whether expressions read both an entire document and a value inside it. */
function isReadWhole(cell: Cell, classes: Classes): boolean {
  return classes.cells().some((other) => isInside(other, cell) || isInside(cell, other));
}

function limitOf(value: Expression): ModelLimit {
  switch (value.kind) {
    case 'function':
      return 'functions';
    case 'cast':
      return 'casts';
    case 'case':
      return 'case';
    case 'metadata':
      return 'metadata';
    case 'element':
      return 'lists';
    case 'operation':
      if (value.op === '->' || value.op === '->>') return 'json';
      if (value.op === 'in' || value.op === 'overlap') return 'lists';
      if (['=', '<', '<=', '>', '>=', 'between', 'in list', 'is null', 'and', 'or', 'not'].includes(value.op))
        return 'conditions';
      return 'arithmetic';
    default:
      return 'json';
  }
}
