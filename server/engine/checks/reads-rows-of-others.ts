import { oncePer } from '../ground/oncePer.ts';
import type { Catalog } from '../model/catalog.ts';
import { namesOwner } from '../names/relations.ts';
import { contains, type Expression, expressionText, isAuthData, type Origin } from '../plan/expression.ts';
import type { BucketRoute, Meeting, OutputColumn, RowRule, StreamPlan, TablePattern } from '../plan/plan.ts';
import { knownTables } from '../plan/tables.ts';
import type { ConfigCheck, PlanRun } from './check.ts';

export const readsRowsOfOthers: ConfigCheck = {
  code: 'reads-rows-of-others',
  usesCatalog: true,
  checkPlans: ({ runs, catalog, reportIn }) => {
    const access = runs.map(accessOf);
    const open = access.flatMap((of) => of.open).filter(({ rows }) => mayExist(catalog, rows));
    if (open.length === 0) return;
    const ofTable = byTable(access.flatMap(({ owned }) => owned));
    const ownerColumns = new Set(access.flatMap((of) => [...of.ownerColumns]));
    for (const { plan, rows } of open) {
      const covered = ofTable.get(rows.table)?.find((other) => covers(rows, other));
      const column = covered?.column ?? unusedOwner(catalog, rows, ownerColumns);
      if (column !== undefined)
        reportIn(plan)('reads-rows-of-others', rows.at, {
          column,
          ...(covered && { stream: covered.stream }),
        });
    }
  },
};

/** A template names tables that nobody has: they are reported as unknown, and no rows of theirs can leak. */
function mayExist(catalog: Catalog | undefined, { pattern }: Rows): boolean {
  return catalog === undefined || knownTables(catalog, pattern).length > 0;
}

/** For one table, nobody writes so many queries that all must be compared. */
const mostQueries = 20;

function byTable(owned: readonly OwnedRows[]): ReadonlyMap<string, readonly OwnedRows[]> {
  const tables = new Map<string, OwnedRows[]>();
  for (const rows of owned) {
    const others = tables.get(rows.table);
    if (!others) tables.set(rows.table, [rows]);
    else if (others.length < mostQueries) others.push(rows);
  }
  return tables;
}

/** Rows of one table that a query syncs. */
interface Rows {
  readonly stream: string;
  readonly priority: number;
  readonly pattern: TablePattern;
  /** The pattern as it is written. */
  readonly table: string;
  readonly filter: ReadonlySet<string>;
  readonly columns: readonly OutputColumn[];
  readonly at: Origin;
}

interface OwnedRows extends Rows {
  /** That must be the user's id. */
  readonly column: string;
}

/** Of a run. */
interface Access {
  /** Everyone can have them. */
  readonly open: readonly { readonly plan: StreamPlan; readonly rows: Rows }[];
  /** Of each table, as many as are compared. */
  readonly owned: readonly OwnedRows[];
  readonly ownerColumns: ReadonlySet<string>;
}

const accessOf = oncePer((run: PlanRun): Access => {
  const pairs = run.flatMap((plan) =>
    plan.routes.flatMap((route) =>
      (plan.sources[route.source]?.rules ?? []).map((rule) => ({ plan, route, rule })),
    ),
  );
  const owned = pairs.flatMap(({ plan, route, rule }) =>
    ownerColumnsOf(route, rule).map((column) => ({ ...rowsOf(plan, route, rule), column })),
  );
  return {
    open: pairs.flatMap(({ plan, route, rule }) =>
      isOpen(route) ? [{ plan, rows: rowsOf(plan, route, rule) }] : [],
    ),
    owned: [...byTable(owned).values()].flat(),
    ownerColumns: new Set(owned.map(({ column }) => column).filter(namesOwner)),
  };
});

function rowsOf(plan: StreamPlan, route: BucketRoute, { table, filter, columns, at }: RowRule): Rows {
  return {
    stream: plan.name,
    priority: route.priority ?? plan.priority,
    pattern: table,
    table: [table.tag, table.schema, table.name].map((part) => JSON.stringify(part)).join('.'),
    filter: new Set(filter.map(expressionText)),
    columns,
    // A table that comes from a CTE may be written in another part of the file.
    at: plan.isDefinition || at.text === route.at.text ? at : route.at,
  };
}

function isOpen({ keys, filter, steps }: BucketRoute): boolean {
  return keys.length === 0 && steps.length === 0 && filter.length === 0;
}

function ownerColumnsOf({ keys }: BucketRoute, rule: RowRule): readonly string[] {
  return keys.flatMap((meeting, index) => {
    const row = rule.keys[index];
    return row?.kind === 'column' && meeting.every(isUserId) ? [row.name] : [];
  });
}

function isUserId(value: Meeting[number]): boolean {
  return value.kind === 'request' && contains(value.value, isAuthData) && contains(value.value, namesSubject);
}

function namesSubject(node: Expression): boolean {
  if (node.kind === 'request') return node.path?.at(-1) === 'sub';
  return node.kind === 'constant' && node.value.type === 'text' && node.value.value === 'sub';
}

/** Whether all that the owner gets is also in the open rows, and nothing speaks for having both. */
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

function unusedOwner(
  catalog: Catalog | undefined,
  { pattern, filter, columns }: Rows,
  owners: ReadonlySet<string>,
): string | undefined {
  if (!catalog || filter.size > 0 || !columns.some(({ kind }) => kind === 'star')) return undefined;
  const tables = knownTables(catalog, pattern);
  if (tables.length === 0) return undefined;
  return [...owners].find((name) => tables.every((table) => table.columns.has(name)));
}
