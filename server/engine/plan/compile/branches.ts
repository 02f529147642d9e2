/**
 * Splits a condition into branches. A branch is one way in which the condition can be true, as a list of links. A link is a filter
 * on one thing (the request, or the rows of one table) or a match between two. OR is multiplied out, except over terms of one table
 * or of the request alone, which stay one filter.
 */
import { cover } from '../../text/span.ts';
import { type Expression, expressionText, type Origin } from '../expression.ts';
import { originOf } from './compilation.ts';
import type { ConditionTree, Term } from './conditions.ts';
import { dependencyOf, reportMixed } from './dependency.ts';
import type { CompiledText, Dependency, DependentValue, TableRelation, Use } from './relations.ts';

/**
 * The style of a plan. `own`: a table is looked up by the condition that narrows it down most, and conditions of one table that are
 * joined by OR are one lookup. `reference`: lookups as in PowerSync's service, to count what that service would read.
 */
export type PlanStyle = 'own' | 'reference';

/** A condition on one thing, or on nothing (a constant). */
export interface FilterLink {
  readonly kind: 'filter';
  readonly side: Side | ConstantSide;
  readonly text: CompiledText;
  readonly at: Origin;
}

/** An equality of two things. */
export interface MatchLink {
  readonly kind: 'match';
  readonly left: Side;
  readonly right: Side;
  readonly text: CompiledText;
  readonly at: Origin;
}

export type BranchLink = FilterLink | MatchLink;

export interface Side {
  readonly of: Dependency;
  readonly value: DependentValue;
}

interface ConstantSide {
  readonly of: undefined;
  readonly value: DependentValue;
}

export interface Branch {
  readonly links: readonly BranchLink[];
  /** The number of branches that the reference counts for this branch, because it multiplies out more conditions. */
  readonly weight: number;
}

/** Counts the branches of a condition when every OR is multiplied out. */
export function countBranches(condition: ConditionTree): number {
  if (condition.kind === 'term') return 1;
  const counts = condition.parts.map(countBranches);
  return condition.kind === 'any'
    ? counts.reduce((sum, count) => sum + count, 0)
    : counts.reduce((product, count) => product * count, 1);
}

/** Returns the branches of a condition. Call it only for conditions with few branches; see {@link countBranches}. */
export function branchesOf(
  condition: ConditionTree,
  output: TableRelation | undefined,
  style: PlanStyle,
): readonly Branch[] {
  const partsOf = (parts: readonly ConditionTree[]) =>
    parts.flatMap((part) => branchesOf(part, output, style));
  const factorsOf = (parts: readonly ConditionTree[]) => {
    const factors = parts.map((part) => branchesOf(part, output, style));
    return style === 'own'
      ? factors
      : factors.toSorted((a, b) => Number(b.length > 1) - Number(a.length > 1));
  };
  switch (condition.kind) {
    case 'term': {
      const link = classify(condition);
      return [{ links: link ? [link] : [], weight: 1 }];
    }
    case 'any':
      return style === 'own' ? gather(partsOf(condition.parts), output) : partsOf(condition.parts);
    case 'all':
      return product(factorsOf(condition.parts));
  }
}

/** Returns one branch for each combination of one branch of every factor. */
function product(factors: readonly (readonly Branch[])[]): readonly Branch[] {
  let products: { links: BranchLink[]; weight: number }[] = [{ links: [], weight: 1 }];
  for (const factor of factors) {
    const [only] = factor;
    if (only && factor.length === 1) {
      for (const each of products) {
        for (const link of only.links) each.links.push(link);
        each.weight *= only.weight;
      }
    } else {
      products = products.flatMap(({ links, weight }) =>
        factor.map((branch) => ({ links: [...links, ...branch.links], weight: weight * branch.weight })),
      );
    }
  }
  return products;
}

/** Classifies a term by its dependencies. Returns undefined after a problem. */
function classify({ value, sides, text, at }: Term): BranchLink | undefined {
  const whole = dependencyOf(value.uses, sides ? undefined : reportMixed);
  if (whole !== 'mixed') {
    reportMisuse(value.uses);
    return { kind: 'filter', side: { of: whole, value } as Side | ConstantSide, text, at };
  }
  if (!sides) return undefined;
  const left = dependencyOf(sides.left.uses, reportMixed);
  const right = dependencyOf(sides.right.uses, reportMixed);
  if (left === 'mixed' || right === 'mixed' || !left || !right) return undefined;
  reportMisuse(value.uses);
  return {
    kind: 'match',
    left: { of: left, value: sides.left },
    right: { of: right, value: sides.right },
    text,
    at,
  };
}

/**
 * Reports conditions on all rows or elements that the reference would test separately for each row or element, and functions that
 * cannot be evaluated.
 */
function reportMisuse(uses: readonly Use[]): void {
  for (const { of } of uses) {
    if (of.kind === 'request') continue;
    if (of.buried) of.buried.text.reportUse('negated-subquery', of.buried.at.span, {});
    if (of.kind === 'table') continue;
    if (of.chained) of.text.reportUse('function-chained', of.chained.span, { name: of.callee });
    else if (of.tested && !of.buried) of.text.reportUse('negated-in-expansion', of.at.span, {});
  }
}

/** Merges the branches that only filter the same thing into a single branch. */
function gather(branches: readonly Branch[], output: TableRelation | undefined): readonly Branch[] {
  const gathered: Branch[] = [];
  const places = new Map<Dependency, number>();
  for (const branch of branches) {
    const of = pureDependency(branch);
    const place = of && places.get(of);
    const known = place === undefined ? undefined : gathered[place];
    if (of && known && place !== undefined) gathered[place] = either(known, branch, of === output);
    else if (of) places.set(of, gathered.push(branch) - 1);
    else gathered.push(branch);
  }
  return gathered;
}

/** Returns the one thing on which a branch depends, if the branch has no match and no element of a list. */
function pureDependency({ links }: Branch): Dependency | undefined {
  const [first] = links;
  const of = first?.kind === 'filter' ? first.side.of : undefined;
  if (!of || of.kind === 'function') return undefined;
  return links.every((link) => link.kind === 'filter' && link.side.value.uses.every((use) => use.of === of))
    ? of
    : undefined;
}

function either(first: Branch, second: Branch, isOutput: boolean): Branch {
  const [left, right] = [allOf(first.links), allOf(second.links)];
  const known = alternativesOf(left.side.value.expression);
  const texts = new Set(known.map(expressionText));
  const added = alternativesOf(right.side.value.expression).filter(
    (part) => !texts.has(expressionText(part)),
  );
  if (added.length === 0) return first;
  return {
    links: [joinFilters('or', [...known, ...added], left, [right])],
    weight: isOutput ? Math.max(first.weight, second.weight) : first.weight + second.weight,
  };
}

function alternativesOf(expression: Expression): readonly Expression[] {
  return expression.kind === 'operation' && expression.op === 'or' ? expression.args : [expression];
}

/** Returns one filter that is equivalent to several. */
function allOf(links: readonly BranchLink[]): FilterLink {
  const [first, ...others] = links.filter((link) => link.kind === 'filter');
  if (!first) throw new Error('A branch without filters');
  if (others.length === 0) return first;
  const parts = [first, ...others].map(({ side }) => side.value.expression);
  return joinFilters('and', parts, first, others);
}

function joinFilters(
  op: 'and' | 'or',
  args: readonly Expression[],
  first: FilterLink,
  others: readonly FilterLink[],
): FilterLink {
  const span = others.map((other) => other.at.span).reduce(cover, first.at.span);
  const isOneText = others.every((other) => other.at.text === first.at.text);
  const at = isOneText ? originOf(first.text, span) : first.at;
  const { value } = first.side;
  const expression: Expression = { kind: 'operation', op, args, at };
  const side = { of: first.side.of, value: { ...value, expression, depth: value.depth + 1 } };
  return { ...first, side: side as Side | ConstantSide, at };
}
