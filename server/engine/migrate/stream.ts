/** Writes the plan of an older definition as streams, one for each priority of its buckets. */
import type { Priority } from '../model/definition.ts';
import type { BucketRoute, StreamPlan } from '../plan/plan.ts';
import { unusedName } from '../sql/names.ts';
import type { QueryWorld } from './parts.ts';
import { queryText } from './query.ts';

export interface StreamText {
  readonly name: string;
  readonly autoSubscribe: boolean;
  readonly priority: Priority;
  readonly acceptDangerous: boolean;
  /** The CTEs, by name. */
  readonly ctes: readonly (readonly [name: string, query: string])[];
  readonly queries: readonly string[];
}

export interface StreamWish extends Omit<QueryWorld, 'share'> {
  readonly plan: StreamPlan;
  readonly acceptDangerous: boolean;
  readonly isNameTaken: (name: string) => boolean;
}

export function streamTexts(wish: StreamWish): readonly StreamText[] {
  const { plan } = wish;
  const priorities = new Map<Priority, BucketRoute[]>();
  for (const route of plan.routes) {
    const priority = route.priority ?? plan.priority;
    priorities.set(priority, [...(priorities.get(priority) ?? []), route]);
  }
  if (priorities.size === 0) priorities.set(plan.priority, []);
  return [...priorities].map(([priority, routes], index) => ({
    name: index === 0 ? plan.name : unusedName(`${plan.name}_priority_${priority}`, wish.isNameTaken),
    autoSubscribe: plan.isDefault,
    priority,
    acceptDangerous: wish.acceptDangerous,
    ...shareSubqueries((share) => writeQueries(wish, routes, share)),
  }));
}

/** Writes queries and turns each subquery that several of them share into a CTE. */
export function shareSubqueries(
  write: (share: QueryWorld['share']) => string[],
): Pick<StreamText, 'ctes' | 'queries'> {
  const counts = new Map<string, number>();
  const plain = write((subquery) => {
    counts.set(subquery, (counts.get(subquery) ?? 0) + 1);
    return subquery;
  });
  const shared = [...counts].flatMap(([subquery, count]) => (count > 1 ? [subquery] : []));
  if (shared.length === 0) return { ctes: [], queries: plain };
  const names = nameCtes(shared, plain);
  return {
    ctes: shared.map((subquery) => [names.get(subquery) ?? '', subquery.slice(1, -1)]),
    queries: write((subquery) => names.get(subquery) ?? subquery),
  };
}

function writeQueries(
  { plan, ...world }: StreamWish,
  routes: readonly BucketRoute[],
  share: QueryWorld['share'],
): string[] {
  const queries = routes.flatMap((route) =>
    (plan.sources[route.source]?.rules ?? []).flatMap(
      (rule) => queryText({ ...world, share }, { rule, route, lookups: plan.lookups }) ?? [],
    ),
  );
  return [...new Set(queries)];
}

/**
 * Names CTEs after the columns that they select, such as `boats_id`. The name must not be used elsewhere, because a CTE would hide
 * a table or column with the same name.
 */
function nameCtes(subqueries: readonly string[], queries: readonly string[]): Map<string, string> {
  const taken = new Set(queries.flatMap((query) => query.toLowerCase().match(/\w+/g) ?? []));
  return new Map(
    subqueries.map((subquery) => {
      const [, column = 'value', table = 'rows'] =
        /^\(SELECT (?:.* AS )?"?(\w+)"? FROM (?:\w+\.)?"?(\w+)/.exec(subquery) ?? [];
      const name = unusedName(`${table}_${column}`.toLowerCase(), (candidate) => taken.has(candidate));
      taken.add(name);
      return [subquery, name];
    }),
  );
}
