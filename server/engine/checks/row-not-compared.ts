/**
 * Finds conditions on the request that decide which users get rows, but not which rows they get. Such rows reach too many users,
 * because no condition compares them with the user. Rows that are public according to their own columns are excluded.
 */
import { contains, type Expression, expressionText, type Origin } from '../plan/expression.ts';
import type { BucketRoute, RowRule, StreamPlan } from '../plan/plan.ts';
import { nameOfPattern } from '../plan/tablePatterns.ts';
import { clientChoiceOf } from '../risk/choice.ts';
import { saysPublic } from '../risk/publication.ts';
import { isUncompared, type Risk, riskOf } from '../risk/risk.ts';
import type { ConfigCheck } from './check.ts';
import { constantTruth, readsData } from './constant-condition.ts';

export const rowNotCompared: ConfigCheck = {
  code: 'row-not-compared',
  checkPlan: ({ plan, options, acceptsRisk, report }) => {
    if (acceptsRisk) return;
    const rules = { wholeKeys: options.fixedJsonExtract, sqliteEngine: options.sqliteEngine };
    const isNever = (condition: Expression) =>
      !contains(condition, readsData) && constantTruth(condition, rules) === false;
    const reported = new Set<string>();
    for (const way of waysOf(plan)) {
      const { rule, route, risk } = way;
      const who = whoOf(way);
      if (who === undefined || route.filter.some(isNever)) continue;
      const at = placeOf(risk, rule, route, who.kind);
      const key = JSON.stringify([at, who]);
      if (reported.has(key)) continue;
      reported.add(key);
      report('row-not-compared', at, { table: nameOfPattern(rule.table), ...who });
    }
  },
};

interface Way {
  readonly route: BucketRoute;
  readonly rule: RowRule;
  readonly risk: Risk;
  /** Columns that other ways of the same query compare with the user. Undefined if there are no other ways. */
  readonly others: ReadonlySet<string> | undefined;
  /** Whether the plan is that of a bucket definition. */
  readonly isBucket: boolean;
}

function waysOf(plan: StreamPlan): readonly Way[] {
  const pairs = plan.routes.flatMap((route) => {
    const risk = riskOf(route, plan);
    return (plan.sources[route.source]?.rules ?? []).map((rule) => ({ route, rule, risk }));
  });
  const compared = new Map<number, Set<string>>();
  for (const { rule, risk } of pairs) {
    if (isUncompared(risk)) continue;
    const columns = compared.get(rule.at.text) ?? new Set();
    for (const key of rule.keys) columns.add(expressionText(key));
    compared.set(rule.at.text, columns);
  }
  const isBucket = plan.isDefinition === true;
  return pairs.map(({ route, rule, risk }) => ({
    route,
    rule,
    risk,
    others: compared.get(rule.at.text),
    isBucket,
  }));
}

type Who =
  | { readonly kind: 'widened' | 'everyone' | 'signed in' | 'client' }
  | { readonly kind: 'any group'; readonly list: string };

/** Returns undefined if there is no problem, or if another rule reports it. */
function whoOf(way: Way): Who | undefined {
  const { route, risk, others, isBucket } = way;
  if (isForEveryone(way)) return undefined;
  switch (risk.kind) {
    case 'signed in':
      return { kind: 'signed in' };
    case 'any group':
      return { kind: 'any group', list: risk.table };
    case 'client':
      return clientChoiceOf(route) === undefined ? { kind: 'client' } : undefined;
    case 'everyone':
      if (others !== undefined) return { kind: 'widened' };
      return isBucket && route.keys.length > 0 ? { kind: 'everyone' } : undefined;
    default:
      return undefined;
  }
}

/** Whether a condition on the rows shows that they are intended for everyone. */
function isForEveryone({ rule, others = new Set() }: Way): boolean {
  return rule.filter.some((condition) => saysPublic(condition, others));
}

/**
 * Returns the condition that accepts too many users. If there is none, or if it is in another text, returns the table of the rows.
 */
function placeOf(risk: Risk, rule: RowRule, route: BucketRoute, kind: Who['kind']): Origin {
  const condition = kind === 'widened' ? (rule.filter[0]?.at ?? route.filter[0]?.at) : atOf(risk);
  const home = rule.at.text === route.at.text ? rule.at : route.at;
  return condition?.text === home.text ? condition : home;
}

function atOf(risk: Risk): Origin | undefined {
  return 'at' in risk ? risk.at : undefined;
}
