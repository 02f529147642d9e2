import { groupBy } from '../ground/group.ts';
import { oncePer } from '../ground/oncePer.ts';
import type { Catalog, CatalogTable } from '../model/catalog.ts';
import { type Expression, expressionText, type Origin, rowColumnText } from '../plan/expression.ts';
import type { BucketRoute, OutputColumn, RowRule, StreamPlan, TablePattern } from '../plan/plan.ts';
import { knownTables } from '../plan/tablePatterns.ts';
import { ownerColumnIn } from '../risk/owner.ts';
import { saysPublic } from '../risk/publication.ts';
import { isUncompared, type Risk, riskOf } from '../risk/risk.ts';
import type { ConfigCheck, PlanRun } from './check.ts';

export const readsRowsOfOthers: ConfigCheck = {
  code: 'reads-rows-of-others',
  usesCatalog: true,
  checkPlans: ({ runs, catalog, reportIn, acceptsRisk, isOwnText }) => {
    const access = runs.map(accessOf);
    const open = access.flatMap((of) => of.open).filter(({ rows }) => mayExist(catalog, rows));
    if (open.length === 0) return;
    const owned = access.flatMap((of) => of.owned);
    const ofTable = groupsOf(owned, ({ table }) => table);
    const ofColumn = groupsOf(owned, ({ column }) => column);
    for (const { plan, rows } of open) {
      const covered = ofTable.get(rows.table)?.find((other) => covers(rows, other));
      const column = covered?.column ?? unusedOwner(catalog, rows, ofColumn);
      if (column !== undefined && !acceptsRisk(plan))
        reportIn(plan)('reads-rows-of-others', isOwnText(plan, rows.at.text) ? rows.at : rows.wayAt, {
          column,
          ...(covered && { stream: covered.stream, who: covered.who }),
        });
    }
  },
};

/**
 * Whether a table may exist. The tables of a template do not exist: they are reported as unknown, and none of their rows can leak.
 */
function mayExist(catalog: Catalog | undefined, { pattern }: Rows): boolean {
  return catalog === undefined || catalog.open === true || knownTables(catalog, pattern).length > 0;
}

/** The maximum number of queries of one table or column that are compared. Real configs have fewer. */
const mostQueries = 20;

type GroupedRows = ReadonlyMap<string, readonly OwnedRows[]>;

function groupsOf(owned: readonly OwnedRows[], keyOf: (rows: OwnedRows) => string): GroupedRows {
  const groups = [...groupBy(owned, keyOf)];
  return new Map(groups.map(([key, rows]) => [key, rows.slice(0, mostQueries)]));
}

/** The rows of one table that a query syncs. */
interface Rows {
  readonly stream: string;
  readonly priority: number;
  readonly pattern: TablePattern;
  /** The table pattern as written in the query. */
  readonly table: string;
  readonly conditions: readonly Expression[];
  /** The texts of the conditions. */
  readonly filter: ReadonlySet<string>;
  readonly columns: readonly OutputColumn[];
  readonly at: Origin;
  /** The query. It is the place to mark for rows that come from a CTE in another part of the file. */
  readonly wayAt: Origin;
}

interface OwnedRows extends Rows {
  /** The column that is compared with a value of the token. */
  readonly column: string;
  readonly who: 'the user' | 'some users';
}

/** The ways in which users get rows in one run. */
interface Access {
  /** Rows that every user can get. */
  readonly open: readonly { readonly plan: StreamPlan; readonly rows: Rows }[];
  /** The owned rows of each table and column, up to the maximum that is compared. */
  readonly owned: readonly OwnedRows[];
}

const accessOf = oncePer((run: PlanRun): Access => {
  const ways = run.flatMap((plan) =>
    plan.routes.flatMap((route) => {
      const risk = riskOf(route, plan);
      return (plan.sources[route.source]?.rules ?? []).map((rule) => ({ plan, route, rule, risk }));
    }),
  );
  const owned = ways.flatMap(({ plan, route, rule, risk }) =>
    comparedColumnsOf(rule, risk).map((column) => ({
      ...rowsOf(plan, route, rule),
      column,
      who: risk.kind === 'owner' ? ('the user' as const) : ('some users' as const),
    })),
  );
  const compared = new Set(
    ways
      .filter(({ risk }) => !isUncompared(risk))
      .map(({ plan, rule }) => JSON.stringify([plan.name, rule.at])),
  );
  return {
    open: ways.flatMap(({ plan, route, rule, risk }) =>
      // An alternative of OR has its own rule.
      risk.kind === 'everyone' &&
      route.filter.length === 0 &&
      route.steps.length === 0 &&
      !compared.has(JSON.stringify([plan.name, rule.at])) &&
      !rule.filter.some((condition) => saysPublic(condition, new Set()))
        ? [{ plan, rows: rowsOf(plan, route, rule) }]
        : [],
    ),
    owned: [...groupsOf(owned, ({ table, column }) => JSON.stringify([table, column])).values()].flat(),
  };
});

function rowsOf(plan: StreamPlan, route: BucketRoute, { table, filter, columns, at }: RowRule): Rows {
  return {
    stream: plan.name,
    priority: route.priority ?? plan.priority,
    pattern: table,
    table: [table.tag, table.schema, table.name].map((part) => JSON.stringify(part)).join('.'),
    conditions: filter,
    filter: new Set(filter.map(expressionText)),
    columns,
    at,
    wayAt: route.at,
  };
}

function comparedColumnsOf(rule: RowRule, { kind }: Risk): readonly string[] {
  if (kind !== 'owner' && kind !== 'group' && kind !== 'claim') return [];
  return rule.keys.flatMap((key) => (key.kind === 'column' ? [key.name] : []));
}

/** Whether all rows of the owner are also among the open rows, and nothing shows that both are intended. */
function covers(open: Rows, owned: OwnedRows): boolean {
  return (
    open.priority === owned.priority &&
    [...open.filter].every((condition) => owned.filter.has(condition)) &&
    owned.columns.every((column) => open.columns.some((other) => gives(other, column)))
  );
}

function gives(open: OutputColumn, owned: OutputColumn): boolean {
  if (open.kind === 'star') return true;
  return owned.kind === 'column' && expressionText(owned.value) === expressionText(open.value);
}

/** Returns a column that names the owner of a row. Clients get the column, but no condition compares it with anything. */
function unusedOwner(
  catalog: Catalog | undefined,
  { pattern, columns, conditions }: Rows,
  compared: GroupedRows,
): string | undefined {
  const tables = catalog ? knownTables(catalog, pattern) : [];
  const [first] = tables;
  if (catalog === undefined || first === undefined) return undefined;
  const isSent = (name: string) => columns.some((column) => sends(column, name));
  const isIn = (name: string) => tables.every((table) => table.columns.has(name));
  const mayBelong = (name: string) =>
    !conditions.some((condition) => saysPublic(condition, new Set([rowColumnText(name)])));
  const isUnused = (name: string) => isIn(name) && isSent(name) && mayBelong(name);
  const owner = ownerColumnIn(first);
  if (owner !== undefined && isUnused(owner)) return owner;
  const others = [...compared].find(
    ([name, owned]) =>
      name.toLowerCase() !== 'id' &&
      isUnused(name) &&
      owned.some((rows) => mayReferAlike(catalog, first, rows)),
  );
  return others?.[0];
}

/** Whether the column may have the same meaning in both tables. It has different meanings if it refers to two different tables. */
function mayReferAlike(catalog: Catalog, table: CatalogTable, { pattern, column }: OwnedRows): boolean {
  const one = table.columns.get(column)?.references;
  const other = knownTables(catalog, pattern)[0]?.columns.get(column)?.references;
  return !one || !other || (one.schema === other.schema && one.table === other.table);
}

function sends(column: OutputColumn, name: string): boolean {
  return column.kind === 'star' || (column.value.kind === 'column' && column.value.name === name);
}
