import { oncePer } from '../ground/oncePer.ts';
import type { Catalog } from '../model/catalog.ts';
import { type Expression, expressionText, type Origin } from '../plan/expression.ts';
import type { BucketRoute, OutputColumn, RowRule, StreamPlan, TablePattern } from '../plan/plan.ts';
import { knownTables } from '../plan/tablePatterns.ts';
import type { ConfigCheck, PlanRun } from './check.ts';
import { contradict, factOf } from './facts.ts';

/**
 * Finds queries that sync the same rows with different columns. A client keeps only one version of a row with a given table and id:
 * the last one received.
 */
export const differentColumns: ConfigCheck = {
  code: 'different-columns',
  usesCatalog: true,
  checkPlans: ({ runs, catalog, reportIn }) => {
    const several = rowsOfSeveralShapes(runs, catalog);
    if (several.size === 0) return;
    for (const group of groupsOf(runs, several)) {
      const verdictOn = judgeAgainst(group.slice(0, mostQueries), catalog);
      // Each query is reported once, because its branches have the same columns.
      const told = new Set<string>();
      for (const query of group) {
        const place = JSON.stringify([query.stream, query.at]);
        if (told.has(place)) continue;
        const verdict = verdictOn(query);
        if (verdict === 'none') continue;
        told.add(place);
        reportIn(query.plan)('different-columns', query.at, verdict);
      }
    }
  },
};

/** The maximum number of queries of one table that are compared. Real configs have fewer. */
const mostQueries = 20;

/** Returns the rows that are synced in several shapes. Nearly all rows have one shape, so they need no comparison. */
function rowsOfSeveralShapes(runs: readonly PlanRun[], catalog: Catalog | undefined): ReadonlySet<string> {
  const shapes = new Map<string, string>();
  const several = new Set<string>();
  for (const run of runs)
    for (const [rows, signatures] of signaturesOf(run, catalog))
      for (const signature of signatures) {
        const known = shapes.get(rows);
        if (known === undefined) shapes.set(rows, signature);
        else if (known !== signature) several.add(rows);
      }
  return several;
}

type Signatures = ReadonlyMap<string, ReadonlySet<string>>;

const signaturesKept = new WeakMap<
  PlanRun,
  { readonly catalog: Catalog | undefined; readonly of: Signatures }
>();

/** Returns at most two signatures for each table, which is enough to know that there are several. */
function signaturesOf(run: PlanRun, catalog: Catalog | undefined): Signatures {
  const known = signaturesKept.get(run);
  if (known !== undefined && known.catalog === catalog) return known.of;
  const found = new Map<string, Set<string>>();
  for (const plan of run)
    for (const [rows, rule] of rulesOf(plan)) {
      const signatures = found.get(rows) ?? new Set();
      found.set(rows, signatures);
      if (signatures.size < 2) signatures.add(readShape(rule, catalog).signature);
    }
  signaturesKept.set(run, { catalog, of: found });
  return found;
}

/** Returns the rules that a route uses, by the rows that they sync. */
function rulesOf(plan: StreamPlan): readonly (readonly [rows: string, rule: RowRule])[] {
  return plan.sources.flatMap(({ rules }, index) =>
    plan.routes.some(({ source }) => source === index)
      ? rules.map((rule) => [rowsOf(rule), rule] as const)
      : [],
  );
}

/** A query, or a branch of a query, that syncs rows of a table. */
interface Query {
  readonly plan: StreamPlan;
  readonly stream: string;
  /** A key that is equal for queries that sync rows of the same source table to the same client table. */
  readonly rows: string;
  readonly rule: RowRule;
  readonly conditions: readonly Expression[];
  /** Columns that must equal a value of the request, by that value. */
  readonly owners: ReadonlyMap<string, string>;
  readonly at: Origin;
}

function groupsOf(runs: readonly PlanRun[], wanted: ReadonlySet<string>): readonly (readonly Query[])[] {
  const groups = new Map<string, Query[]>();
  for (const run of runs)
    for (const plan of run)
      for (const query of queriesOf(plan)) {
        if (!wanted.has(query.rows)) continue;
        const group = groups.get(query.rows);
        if (group) group.push(query);
        else groups.set(query.rows, [query]);
      }
  return [...groups.values()];
}

type Verdict = ({ readonly stream: string } & Difference) | 'none';

interface Verdicts {
  readonly others: readonly Query[];
  readonly catalog: Catalog | undefined;
  readonly on: WeakMap<Query, Verdict>;
}

/** Cached verdicts by the first query of a group. They are valid while the compared queries stay the same. */
const verdictsKept = new WeakMap<Query, Verdicts>();

function judgeAgainst(others: readonly Query[], catalog: Catalog | undefined): (query: Query) => Verdict {
  const [first] = others;
  const known = first && verdictsKept.get(first);
  const isSame =
    known?.catalog === catalog &&
    known?.others.length === others.length &&
    known.others.every((other, index) => other === others[index]);
  const verdicts = isSame ? known : { others, catalog, on: new WeakMap<Query, Verdict>() };
  if (first) verdictsKept.set(first, verdicts);
  return (query) => {
    const verdict = verdicts.on.get(query) ?? judge(query, others, catalog);
    verdicts.on.set(query, verdict);
    return verdict;
  };
}

function judge(query: Query, others: readonly Query[], catalog: Catalog | undefined): Verdict {
  const shape = shapeOf(query, catalog);
  const own = others.indexOf(query);
  for (const [index, other] of others.entries()) {
    if (other.rule === query.rule) continue;
    const difference = differenceOf(shape, shapeOf(other, catalog));
    const isEarlier = own >= 0 && own < index;
    if (difference === undefined || (difference.kind === 'values' && isEarlier)) continue;
    if (!areApart(query, other)) return { stream: other.stream, ...difference };
  }
  return 'none';
}

/** Returns one query for each rule, with the conditions that all of its routes share. */
const queriesOf = oncePer((plan: StreamPlan): readonly Query[] =>
  plan.sources.flatMap(({ rules }, index) => {
    const routes = plan.routes.filter(({ source }) => source === index);
    const [route] = routes;
    return route === undefined ? [] : rules.map((rule) => queryOf(plan, routes, route, rule));
  }),
);

function queryOf(plan: StreamPlan, routes: readonly BucketRoute[], route: BucketRoute, rule: RowRule): Query {
  return {
    plan,
    stream: plan.name,
    rows: rowsOf(rule),
    rule,
    conditions: [...rule.filter, ...(routes.length === 1 ? route.filter : [])],
    owners: new Map(routes.length === 1 ? ownersIn(route, rule) : []),
    at: placeOf(plan, route, rule),
  };
}

function rowsOf({ outputTable, table }: RowRule): string {
  return JSON.stringify([outputTable, nameOf(table)]);
}

/** Returns the place of the columns. If they come from a CTE, it may be in another part of the file. */
function placeOf(plan: StreamPlan, route: BucketRoute, { columns, at }: RowRule): Origin {
  const first = columns[0]?.at;
  const last = columns.at(-1)?.at;
  if (first === undefined || last?.text !== first.text) return route.at;
  const isOwn = plan.isDefinition
    ? first.text === at.text
    : plan.routes.some((each) => each.at.text === first.text);
  return isOwn ? { text: first.text, span: { start: first.span.start, end: last.span.end } } : route.at;
}

function ownersIn({ keys }: BucketRoute, rule: RowRule): readonly (readonly [string, string])[] {
  return keys.flatMap((meeting, index) => {
    const column = rule.keys[index];
    const [value, ...more] = meeting;
    const isSimple = column?.kind === 'column' && value?.kind === 'request' && more.length === 0;
    return isSimple ? [[expressionText(value.value), column.name] as const] : [];
  });
}

function nameOf({ tag, schema, name }: TablePattern): readonly unknown[] {
  return [tag, schema.text, schema.wildcard, name.text, name.wildcard];
}

interface Shape {
  /** The texts of the values, by column name. */
  readonly columns: ReadonlyMap<string, string>;
  /** Whether the shape has all columns of an unknown table: the columns that another query lists, and possibly others. */
  readonly isOpen: boolean;
  /** A text that is equal for equal shapes. It is compared first, because most shapes are equal. */
  readonly signature: string;
}

const shapes = new WeakMap<RowRule, { readonly catalog: Catalog | undefined; readonly shape: Shape }>();

/** Returns the previous shape if the query did not change. */
function shapeOf({ rule }: Query, catalog: Catalog | undefined): Shape {
  const known = shapes.get(rule);
  if (known !== undefined && known.catalog === catalog) return known.shape;
  const shape = readShape(rule, catalog);
  shapes.set(rule, { catalog, shape });
  return shape;
}

function readShape(rule: RowRule, catalog: Catalog | undefined): Shape {
  const columns = new Map<string, string>();
  const [table, ...more] = knownTables(catalog, rule.table);
  const isKnown = table !== undefined && more.length === 0;
  for (const column of rule.columns) {
    if (column.kind === 'column') columns.set(column.name, expressionText(column.value));
    else if (isKnown)
      for (const name of table.columns.keys()) if (isGiven(column, name)) columns.set(name, plain(name));
  }
  const isOpen = !isKnown && rule.columns.some(({ kind }) => kind === 'star');
  return { columns, isOpen, signature: JSON.stringify([isOpen, ...[...columns].sort()]) };
}

function isGiven(star: Extract<OutputColumn, { kind: 'star' }>, name: string): boolean {
  return star.visibleOnly !== true || !name.startsWith('_');
}

/** Returns the text of an unchanged column with this name. */
function plain(name: string): string {
  return expressionText({ kind: 'column', name, at: nowhere });
}

const nowhere: Origin = { text: 0, span: { start: 0, end: 0 } };

type Difference =
  /** The columns that are missing in the other query. */
  | { readonly kind: 'columns'; readonly columns: readonly string[]; readonly isPlain: boolean }
  | { readonly kind: 'values'; readonly columns: readonly string[] };

function differenceOf(shape: Shape, other: Shape): Difference | undefined {
  if (shape.signature === other.signature) return undefined;
  const has = (name: string): boolean => shape.columns.has(name) || shape.isOpen;
  const missing = [...other.columns.keys()].filter((name) => !has(name));
  if (missing.length > 0)
    return {
      kind: 'columns',
      columns: missing,
      isPlain: missing.every((name) => other.columns.get(name) === plain(name)),
    };
  const names = new Set([...shape.columns.keys(), ...other.columns.keys()]);
  const differing = [...names].filter((name) => {
    const value = valueIn(other, name);
    return value !== undefined && value !== valueIn(shape, name);
  });
  return differing.length > 0 ? { kind: 'values', columns: differing } : undefined;
}

function valueIn({ columns, isOpen }: Shape, name: string): string | undefined {
  return columns.get(name) ?? (isOpen ? plain(name) : undefined);
}

/**
 * Whether no row passes the conditions of both queries, or no client gets both. Rows that a user has sent and rows that the user
 * has received are rarely the same.
 */
function areApart(one: Query, other: Query): boolean {
  return (
    one.conditions.some((condition) => other.conditions.some((against) => excludes(condition, against))) ||
    [...one.owners].some(([value, column]) => (other.owners.get(value) ?? column) !== column)
  );
}

function excludes(one: Expression, other: Expression): boolean {
  if (isNegationOf(one, other) || isNegationOf(other, one)) return true;
  const [first, second] = [factOf(one, true), factOf(other, true)];
  if (first === undefined || second === undefined) return false;
  return (
    expressionText(first.subject) === expressionText(second.subject) && contradict(first.fact, second.fact)
  );
}

function isNegationOf(one: Expression, other: Expression): boolean {
  const [negated] = one.kind === 'operation' && one.op === 'not' ? one.args : [];
  return negated !== undefined && expressionText(negated) === expressionText(other);
}
