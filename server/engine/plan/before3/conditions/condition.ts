/** Conditions that put rows into buckets, and the cases in which they are true. */
import type { Report } from '../../../diagnostics/diagnostics.ts';
import type { Span } from '../../../text/span.ts';
import { type Expression, expressionText, type Origin } from '../../expression.ts';
import type { QueryTable } from '../table.ts';

/** A value with which rows are compared: a bucket parameter, or a value of the request. */
export type Parameter =
  | { readonly kind: 'bucket'; readonly name: string }
  | { readonly kind: 'request'; readonly value: Expression };

export type Comparison =
  | { readonly kind: 'equal'; readonly row: Expression; readonly parameter: Parameter; readonly at: Origin }
  /** A condition `parameter IN array of the row`. */
  | { readonly kind: 'in row'; readonly row: Expression; readonly parameter: Parameter; readonly at: Origin }
  /** A condition `value of the row IN array of the request`. */
  | { readonly kind: 'in request'; readonly row: Expression; readonly array: Expression; readonly at: Origin }
  /** A condition `array of the row && array of the request`. */
  | { readonly kind: 'overlap'; readonly row: Expression; readonly array: Expression; readonly at: Origin };

/** A condition that the request has matching rows in another table. */
export interface RowMembership {
  readonly kind: 'member';
  /** The left side. `request`: it is enough that a matching row exists. `elements`: one element of an array of the row. */
  readonly left: 'row' | 'elements' | 'request';
  readonly value: Expression;
  readonly rows: FoundRows;
  readonly at: Origin;
}

export interface FoundRows {
  readonly table: QueryTable;
  readonly column: Expression;
  readonly where: Conjunction;
}

export type BucketCondition = Comparison | RowMembership | Test | ConditionGroup;

/** A test of the row alone, or of the request alone. */
export interface Test {
  readonly kind: 'row' | 'request';
  readonly value: Expression;
  /** Present if a service keeps the test separate from others, so that it is a separate branch of an OR. */
  readonly apart?: true;
}

export interface ConditionGroup {
  readonly kind: 'and' | 'or';
  /** The parts. The list grows while a chain of one operator is read. */
  readonly parts: BucketCondition[];
}

/** One way in which a condition is true: all its parts hold. */
export interface Conjunction {
  readonly row: readonly Expression[];
  readonly request: readonly Expression[];
  readonly comparisons: readonly Comparison[];
  readonly memberships: readonly RowMembership[];
}

/** Returns the condition with another part. A group of the same kind is extended in place. */
export function joinConditions(
  kind: ConditionGroup['kind'],
  left: BucketCondition,
  right: BucketCondition,
): BucketCondition {
  if (left.kind !== kind) return { kind, parts: [left, right] };
  left.parts.push(right);
  return left;
}

/** Whether the second condition is already part of the first one, in which case repeating it has no effect. */
export function repeatsComparison(first: BucketCondition, second: BucketCondition): boolean {
  const text = comparisonText(second);
  if (text === undefined) return false;
  const known = first.kind === 'and' ? first.parts : [first];
  return known.some((part) => comparisonText(part) === text);
}

function comparisonText(condition: BucketCondition): string | undefined {
  switch (condition.kind) {
    case 'equal':
    case 'in row': {
      const { kind, row, parameter } = condition;
      const other = parameter.kind === 'bucket' ? parameter.name : expressionText(parameter.value);
      return [kind, parameter.kind, expressionText(row), other].join(' ');
    }
    case 'in request':
    case 'overlap':
      return [condition.kind, expressionText(condition.row), expressionText(condition.array)].join(' ');
    default:
      return undefined;
  }
}

/** The maximum number of branches, as in edition 3. */
const mostBranches = 100;

/** Returns the branches of a condition, unless there are too many. */
export function fewBranches(
  report: Report,
  at: Span,
  condition: BucketCondition,
): readonly Conjunction[] | undefined {
  const cases = countBranches(condition);
  if (cases <= mostBranches) return branchesOf(condition);
  report('filter-too-complex', at, { cases });
  return undefined;
}

/** Counts the branches of a condition. The result may be Infinity. */
function countBranches(condition: BucketCondition): number {
  switch (condition.kind) {
    case 'or':
      return condition.parts.reduce((sum, part) => sum + countBranches(part), 0);
    case 'and':
      return condition.parts.reduce((product, part) => product * countBranches(part), 1);
    default:
      return 1;
  }
}

function branchesOf(condition: BucketCondition): readonly Conjunction[] {
  switch (condition.kind) {
    case 'or':
      return condition.parts.flatMap(branchesOf);
    case 'and':
      return productOf(condition.parts.map(branchesOf));
    case 'row':
      return [only({ row: [condition.value] })];
    case 'request':
      return [only({ request: [condition.value] })];
    case 'member':
      return [only({ memberships: [condition] })];
    default:
      return [only({ comparisons: [condition] })];
  }
}

export function only(parts: Partial<Conjunction>): Conjunction {
  return { row: [], request: [], comparisons: [], memberships: [], ...parts };
}

/** Returns every combination of one branch of each factor. */
function productOf(factors: readonly (readonly Conjunction[])[]): readonly Conjunction[] {
  const common = joinBranches(factors.flatMap((factor) => (factor.length === 1 ? factor : [])));
  return factors
    .filter((factor) => factor.length !== 1)
    .reduce<readonly Conjunction[]>(
      (branches, factor) =>
        branches.flatMap((branch) => factor.map((other) => joinBranches([branch, other]))),
      [common],
    );
}

function joinBranches(branches: readonly Conjunction[]): Conjunction {
  return {
    row: branches.flatMap(({ row }) => row),
    request: branches.flatMap(({ request }) => request),
    comparisons: branches.flatMap(({ comparisons }) => comparisons),
    memberships: branches.flatMap(({ memberships }) => memberships),
  };
}
