/** The facts that follow for a value if a condition is true or false, as far as constants show them. */
import { constantValue } from '../plan/evaluate/expression.ts';
import type { Expression } from '../plan/expression.ts';
import { areEqual, comparison } from '../plan/values/compare.ts';
import { type SqlValue, sqlTrue } from '../plan/values/value.ts';

type NotNull = Exclude<SqlValue, null>;

export type Fact =
  | { readonly kind: 'null' | 'not null' }
  /** The value equals one of these. */
  | { readonly kind: 'among'; readonly values: readonly NotNull[] }
  /** The value is NULL or differs from this one. */
  | { readonly kind: 'other'; readonly value: NotNull }
  | { readonly kind: Comparison; readonly value: NotNull };

type Comparison = '<' | '<=' | '>' | '>=';

interface FactAbout {
  readonly subject: Expression;
  readonly fact: Fact;
}

/** Returns undefined unless the condition is a simple test of one value. */
export function factOf(condition: Expression, truth: boolean): FactAbout | undefined {
  if (condition.kind !== 'operation') return undefined;
  const { op, args } = condition;
  const [first, second] = args as [Expression, Expression];
  switch (op) {
    case 'not':
      return factOf(first, !truth);
    case 'is null':
      return { subject: first, fact: { kind: truth ? 'null' : 'not null' } };
    case '=':
      return truth ? among(first, [second]) : other(first, second);
    case 'in list':
      return truth ? among(first, args.slice(1)) : undefined;
    case '<':
    case '<=':
    case '>':
    case '>=':
      return truth ? boundOf(op, first, second) : undefined;
    default:
      return undefined;
  }
}

/** The maximum number of values in a list. Two lists are compared value by value, so longer ones would take too long. */
const mostValues = 100;

function among(subject: Expression, items: readonly Expression[]): FactAbout | undefined {
  const [only] = items;
  const isMirrored = subject.kind === 'constant' && items.length === 1;
  if (only && isMirrored && only.kind !== 'constant') return among(only, [subject]);
  if (items.length > mostValues) return undefined;
  const values = items.flatMap((item) => constantOf(item) ?? []);
  return values.length === items.length ? { subject, fact: { kind: 'among', values } } : undefined;
}

function other(left: Expression, right: Expression): FactAbout | undefined {
  const [subject, constant] = left.kind === 'constant' ? [right, left] : [left, right];
  const value = constantOf(constant);
  return value === undefined ? undefined : { subject, fact: { kind: 'other', value } };
}

const mirrored: Record<Comparison, Comparison> = { '<': '>', '<=': '>=', '>': '<', '>=': '<=' };

function boundOf(kind: Comparison, left: Expression, right: Expression): FactAbout | undefined {
  if (left.kind === 'constant')
    return right.kind === 'constant' ? undefined : boundOf(mirrored[kind], right, left);
  const value = constantOf(right);
  return value === undefined ? undefined : { subject: left, fact: { kind, value } };
}

function constantOf(expression: Expression): NotNull | undefined {
  return expression.kind === 'constant' ? (constantValue(expression) ?? undefined) : undefined;
}

/** Whether no value satisfies both facts. */
export function contradict(a: Fact, b: Fact): boolean {
  if (a.kind === 'among') return !a.values.some((value) => fits(value, b));
  if (b.kind === 'among') return contradict(b, a);
  if (a.kind === 'null') return b.kind !== 'null' && b.kind !== 'other';
  if (b.kind === 'null') return contradict(b, a);
  return isBound(a) && isBound(b) && leaveNothing(a, b);
}

function fits(value: NotNull, fact: Fact): boolean {
  switch (fact.kind) {
    case 'null':
      return false;
    case 'not null':
      return true;
    case 'among':
      return fact.values.some((each) => areSame(value, each));
    case 'other':
      return !areSame(value, fact.value);
    default:
      return holds[fact.kind](value, fact.value) === sqlTrue;
  }
}

/** Whether two constants are equal. Constants are never blobs. */
function areSame(a: NotNull, b: NotNull): boolean {
  return typeof a !== 'object' && areEqual(a, b);
}

const holds: Record<Comparison, (left: SqlValue, right: SqlValue) => SqlValue> = {
  '<': comparison((order) => order < 0),
  '<=': comparison((order) => order <= 0),
  '>': comparison((order) => order > 0),
  '>=': comparison((order) => order >= 0),
};

type BoundFact = Extract<Fact, { kind: Comparison }>;

function isBound(fact: Fact): fact is BoundFact {
  return fact.kind in holds;
}

/** Whether no value is between a lower and an upper bound, and the bounds themselves are excluded. */
function leaveNothing(a: BoundFact, b: BoundFact): boolean {
  const [lower, upper] = a.kind.startsWith('>') ? [a, b] : [b, a];
  if (!lower.kind.startsWith('>') || !upper.kind.startsWith('<')) return false;
  return (
    holds[upper.kind](lower.value, upper.value) !== sqlTrue ||
    holds[lower.kind](upper.value, lower.value) !== sqlTrue
  );
}
