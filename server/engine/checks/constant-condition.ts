import { toPredicate } from '../plan/evaluate/expression.ts';
import { type EvaluationRules, noRequest, noRow, noTable } from '../plan/evaluate/scope.ts';
import {
  contains,
  type Expression,
  expressionText,
  type Operation,
  type Origin,
} from '../plan/expression.ts';
import { EvaluationFailure } from '../plan/values/failure.ts';
import type { ConfigCheck, PlanSubject } from './check.ts';
import { contradict, type Fact, factOf } from './facts.ts';

export const constantCondition: ConfigCheck = {
  code: 'constant-condition',
  checkPlan: (subject) => {
    const { plan } = subject;
    for (const { filter } of plan.sources.flatMap(({ rules }) => rules)) checkTogether(subject, filter);
    for (const { filter } of plan.lookups) checkTogether(subject, filter);
    for (const { filter, steps } of plan.routes) {
      checkTogether(subject, filter);
      for (const step of steps) if (step.kind === 'expand') checkTogether(subject, step.filter);
    }
  },
};

/** Checks conditions that must all be true. */
function checkTogether(subject: PlanSubject, conditions: readonly Expression[]): void {
  const terms = termsOf('and', conditions);
  for (const term of terms) checkTerm(subject, term);
  const conflict = terms.length > 1 ? findConflict(terms, true) : undefined;
  if (!conflict) return;
  subject.report('constant-condition', conflict.term.at, {
    value: 'false',
    other: sqlOf(subject, conflict.other.at),
  });
}

function checkTerm(subject: PlanSubject, term: Expression): void {
  if (isConnective(term, 'or')) {
    const alternatives = termsOf('or', term.args);
    for (const alternative of alternatives) checkTogether(subject, [alternative]);
    const conflict = findConflict(alternatives, false);
    if (conflict && !subject.options.sqliteEngine)
      subject.report('constant-condition', conflict.term.at, {
        value: 'true',
        other: sqlOf(subject, conflict.other.at),
      });
  } else if (!contains(term, readsData)) checkConstant(subject, term);
}

function checkConstant({ options, report }: PlanSubject, term: Expression): void {
  // A comparison with NULL has its own rule.
  if (term.kind !== 'constant' && contains(term, isNull)) return;
  const value = constantTruth(term, {
    wholeKeys: options.fixedJsonExtract,
    sqliteEngine: options.sqliteEngine,
  });
  if (value !== undefined) report('constant-condition', term.at, { value: value ? 'true' : 'false' });
}

interface Conflict {
  readonly term: Expression;
  readonly other: Expression;
}

/** The maximum number of facts about one value that are compared with each other. Real queries have fewer. */
const mostFacts = 20;

/** Finds two terms that cannot both be true (or cannot both be false). */
function findConflict(terms: readonly Expression[], truth: boolean): Conflict | undefined {
  const known = new Map<string, { fact: Fact; term: Expression }[]>();
  for (const term of terms) {
    const { subject, fact } = factOf(term, truth) ?? {};
    if (!subject || !fact || subject.kind === 'constant') continue;
    const key = expressionText(subject);
    const facts = known.get(key) ?? [];
    const other = facts.find((each) => contradict(each.fact, fact));
    if (other) return { term, other: other.term };
    if (facts.length < mostFacts) known.set(key, [...facts, { fact, term }]);
  }
  return undefined;
}

function termsOf(op: 'and' | 'or', parts: readonly Expression[]): readonly Expression[] {
  if (!parts.some((part) => isConnective(part, op))) return parts;
  return parts.flatMap((part) => (isConnective(part, op) ? termsOf(op, part.args) : [part]));
}

function isConnective(expression: Expression, op: 'and' | 'or'): expression is Operation {
  return expression.kind === 'operation' && expression.op === op;
}

export function readsData({ kind }: Expression): boolean {
  return kind === 'column' || kind === 'element' || kind === 'request' || kind === 'metadata';
}

function isNull(expression: Expression): boolean {
  return expression.kind === 'constant' && expression.value.type === 'null';
}

function sqlOf({ texts }: PlanSubject, { text, span }: Origin): string {
  return texts[text]?.sql.text.slice(span.start, span.end) ?? '';
}

const nowhere = { row: noRow, table: noTable, suffix: '', elements: [], request: noRequest };

/** Whether a condition without inputs is true; undefined if it fails. */
export function constantTruth(condition: Expression, rules: EvaluationRules): boolean | undefined {
  try {
    return toPredicate([condition], rules)(nowhere);
  } catch (failure) {
    if (failure instanceof EvaluationFailure) return undefined;
    throw failure;
  }
}
