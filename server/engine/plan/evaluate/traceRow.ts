/** Traces why a row is in its buckets and in no others. */
import type { Expression, Origin } from '../expression.ts';
import type { Lookup, RowRule } from '../plan.ts';
import { type EvaluationFailure, failureFrom } from '../values/failure.ts';
import type { Element } from '../values/jsonEach.ts';
import type { NamedPlan } from './names.ts';
import {
  type ConditionTrace,
  type FailureTrace,
  type Recorder,
  toRecorder,
  type ValueTrace,
} from './observations.ts';
import { type BucketRow, type LookupRecord, stepsOf } from './rows.ts';
import type { EvaluationRules, EvaluationScope, Row, SourceTable } from './scope.ts';

/** The trace of one rule or lookup of the row's table. */
export interface RuleTrace {
  readonly stream: string;
  readonly side: 'bucket' | 'lookup';
  /** The index of the source that the rule fills; absent for a lookup. */
  readonly source?: number;
  /** The index of the rule in its source. */
  readonly rule?: number | undefined;
  readonly at: Origin;
  /**
   * - `given`: the rule has rows, or the lookup has entries.
   * - `no element`: a table function of the rule has none for this row.
   * - `filtered`: a condition does not hold.
   * - `no key`: a key is NULL or a BLOB.
   */
  readonly outcome: 'given' | 'no element' | 'filtered' | 'no key' | 'failed';
  /** The first condition or key that excluded the row. */
  readonly mismatch?: Origin;
  readonly failure?: FailureTrace;
  /** The combinations of elements of the rule's table functions; a single one if there are no table functions. */
  readonly combinations: readonly CombinationTrace[];
  readonly rows: readonly BucketRow[];
  readonly entries: readonly LookupRecord[];
}

interface CombinationTrace {
  readonly elements: readonly Element[];
  readonly conditions: readonly ConditionTrace[];
  /** The values of the keys, even if a condition does not hold. Keys that fail are missing. */
  readonly keys: readonly ValueTrace[];
}

export function traceRow(
  plans: readonly NamedPlan[],
  table: SourceTable,
  row: Row,
  rules: EvaluationRules,
): readonly RuleTrace[] {
  return plans.flatMap((named) => {
    // The plan with all its rules, including those that this stream shares with an earlier one.
    const all = {
      ...named,
      ownSources: named.plan.sources.map(yes),
      ownLookups: named.plan.lookups.map(yes),
    };
    const recorders = new Map<EvaluationScope, Recorder>();
    const observing: EvaluationRules = {
      ...rules,
      observe: (expression, scope, result) => {
        const recorder = recorders.get(scope) ?? toRecorder(rules);
        recorders.set(scope, recorder);
        recorder.observe(expression, scope, result);
      },
    };
    return stepsOf(all, table, observing).map((step): RuleTrace => {
      recorders.clear();
      const { stream, side, at, part } = step;
      const into = { rows: [] as BucketRow[], entries: [] as LookupRecord[] };
      const thrown = failureOf(() => step.run(row, into));
      const failed = thrown && {
        code: thrown.code,
        at: failingPart(recorders) ?? part.expansions[0]?.at ?? at,
      };
      const combinations = combinationsOf(recorders, part);
      const ofSources = named.plan.sources.map(({ rules: own }) => own.indexOf(part as RowRule));
      const source = ofSources.findIndex((rule) => rule >= 0);
      return {
        stream,
        side,
        at,
        ...(source >= 0 && { source, rule: ofSources[source] }),
        ...verdict(part, into, combinations, failed),
        combinations,
        ...into,
      };
    });
  });
}

function yes(): true {
  return true;
}

function failureOf(run: () => void): EvaluationFailure | undefined {
  try {
    run();
    return undefined;
  } catch (thrown) {
    return failureFrom(thrown);
  }
}

/** Returns the place of the failure; undefined if a table function failed, because that is not an expression. */
function failingPart(recorders: ReadonlyMap<EvaluationScope, Recorder>): Origin | undefined {
  return [...recorders.values()].map((recorder) => recorder.failure()?.at).find((at) => at !== undefined);
}

/** Returns one scope for each combination. A rule without table functions has a single one. */
function combinationsOf(
  recorders: ReadonlyMap<EvaluationScope, Recorder>,
  { expansions, filter, ...part }: RowRule | Lookup,
): readonly CombinationTrace[] {
  const scopes = [...recorders].filter(([{ elements }]) => elements.length === expansions.length);
  return scopes.map(([scope, recorder]) => ({
    elements: scope.elements,
    conditions: recorder.conditions(filter),
    keys: keysOf(part).flatMap((key) => recorder.valueIn(scope, key) ?? []),
  }));
}

function keysOf(part: Pick<RowRule, 'keys'> | Pick<Lookup, 'inputs' | 'outputs'>): readonly Expression[] {
  return 'keys' in part ? part.keys : [...part.inputs, ...part.outputs];
}

function verdict(
  { expansions }: RowRule | Lookup,
  { rows, entries }: Pick<RuleTrace, 'rows' | 'entries'>,
  combinations: readonly CombinationTrace[],
  failure: FailureTrace | undefined,
): Pick<RuleTrace, 'outcome' | 'mismatch' | 'failure'> {
  if (failure !== undefined) return { outcome: 'failed', mismatch: failure.at, failure };
  if (rows.length + entries.length > 0) return { outcome: 'given' };
  if (combinations.length === 0 && expansions.length > 0)
    return { outcome: 'no element', ...(expansions.length === 1 && { mismatch: expansions[0]?.at }) };
  const passed = combinations.find(({ conditions }) => conditions.every(({ holds }) => holds));
  const missing = passed?.keys.find(({ value }) => value === null || typeof value === 'object');
  if (passed !== undefined) return { outcome: 'no key', ...(missing && { mismatch: missing.at }) };
  const condition = combinations[0]?.conditions.find(({ holds }) => !holds);
  return { outcome: 'filtered', ...(condition && { mismatch: condition.at }) };
}
