/** Evaluates rows: `row of a table → its buckets and its lookup entries`. */
import type { Expression, Origin } from '../expression.ts';
import type { Lookup, RowRule } from '../plan.ts';
import { failureFrom, type RuntimeCode } from '../values/failure.ts';
import type { SqlValue } from '../values/value.ts';
import { type ColumnTest, candidates, passesAll, splitFilter } from './columnTests.ts';
import { toCombinations } from './combinations.ts';
import { toEvaluator, toPredicate } from './expression.ts';
import { bucketKeyText, toKeyWriter } from './keys.ts';
import type { NamedPlan } from './names.ts';
import { toOutput } from './output.ts';
import { matchedSuffix, matchesTable } from './patterns.ts';
import {
  type EvaluationRules,
  type EvaluationScope,
  noRequest,
  type Row,
  type SourceTable,
} from './scope.ts';

export interface BucketRow {
  readonly bucket: string;
  /** The name of the table on clients. */
  readonly table: string;
  readonly id: string;
  /** The row as a JSON object. */
  readonly data: string;
}

export interface LookupRecord {
  /** The name of the lookup and the values by which it is searched. */
  readonly key: string;
  readonly values: readonly SqlValue[];
}

/** A failure of one rule for this row. The results of all other rules are kept. */
interface RowFailure {
  readonly stream: string;
  readonly side: 'bucket' | 'lookup';
  readonly code: RuntimeCode;
  readonly at: Origin;
}

export interface RowResult {
  readonly rows: readonly BucketRow[];
  readonly entries: readonly LookupRecord[];
  readonly failures: readonly RowFailure[];
}

/** The compiled rules of one table. Its cost does not depend on the size of the config. */
export type RowEvaluator = (row: Row) => RowResult;

export function toRowEvaluator(
  plans: readonly NamedPlan[],
  table: SourceTable,
  rules: EvaluationRules,
): RowEvaluator {
  const stepsFor = candidates(plans.flatMap((named) => stepsOf(named, table, rules)));
  return (row) => {
    const result = { rows: [], entries: [], failures: [] as RowFailure[] };
    for (const step of stepsFor(row)) {
      if (!passesAll(row, step.tests)) continue;
      try {
        step.run(row, result);
      } catch (thrown) {
        const { code } = failureFrom(thrown);
        result.failures.push({ stream: step.stream, side: step.side, code, at: step.at });
      }
    }
    return result;
  };
}

interface RowResults {
  rows: BucketRow[];
  readonly entries: LookupRecord[];
}

/** A rule or lookup that reads rows of a table. */
interface RowStep {
  readonly stream: string;
  readonly side: RowFailure['side'];
  readonly at: Origin;
  readonly part: RowRule | Lookup;
  /** The tests that a row must pass before the rule runs. */
  readonly tests: readonly ColumnTest[];
  readonly run: (row: Row, into: RowResults) => void;
}

export function stepsOf(named: NamedPlan, table: SourceTable, rules: EvaluationRules): readonly RowStep[] {
  const { plan } = named;
  const sources = plan.sources.flatMap((source, index) =>
    named.ownSources[index]
      ? source.rules
          .filter((rule) => matchesTable(rule.table, table))
          .map((rule) => bucketStep(plan.name, named.sourceNames[index] as string, rule, table, rules))
      : [],
  );
  const lookups = plan.lookups.flatMap((lookup, index) =>
    named.ownLookups[index] && matchesTable(lookup.table, table)
      ? [lookupStep(plan.name, named.lookupNames[index] as string, lookup, table, rules)]
      : [],
  );
  return [...sources, ...lookups];
}

function bucketStep(
  stream: string,
  name: string,
  rule: RowRule,
  table: SourceTable,
  rules: EvaluationRules,
): RowStep {
  const { tests, rest } = split(rule, rules);
  const passes = toPredicate(rest, rules);
  const bucketOf = toBucket(name, rule.keys, rules);
  const output = toOutput(rule.columns, tests, rules);
  const outputTable = rule.outputTable ?? table.name;
  const scopeOf = scopes(rule, table);
  const step = { stream, side: 'bucket', at: rule.at, part: rule, tests } as const;
  if (rule.expansions.length === 0) {
    return {
      ...step,
      run: (row, into) => {
        const scope = scopeOf(row);
        if (!passes(scope)) return;
        const bucket = bucketOf(scope);
        if (bucket === undefined) return;
        const { id, data } = output(scope);
        add(into, { bucket, table: outputTable, id, data });
      },
    };
  }
  const combinations = toCombinations(rule.expansions, rules);
  return {
    ...step,
    run: (row, into) => {
      const found: string[] = [];
      const base = scopeOf(row);
      for (const elements of combinations(base)) {
        const scope = { ...base, elements };
        if (!passes(scope)) continue;
        const bucket = bucketOf(scope);
        if (bucket !== undefined) found.push(bucket);
      }
      if (found.length === 0) return;
      // The output comes before the first bucket, because a failing column makes the entire rule fail.
      const { id, data } = output(base);
      for (const bucket of found.length === 1 ? found : new Set(found)) {
        add(into, { bucket, table: outputTable, id, data });
      }
    },
  };
}

/** Adds a row. Most rows belong to one bucket, and creating a list with one item is faster than adding an item to an empty list. */
function add(into: RowResults, row: BucketRow): void {
  if (into.rows.length === 0) into.rows = [row];
  else into.rows.push(row);
}

/** Returns the bucket that a row's keys name; undefined if one of them cannot be a key. */
function toBucket(
  name: string,
  keys: readonly Expression[],
  rules: EvaluationRules,
): (scope: EvaluationScope) => string | undefined {
  const values = keys.map((key) => toEvaluator(key, rules));
  const [only] = values;
  const shared = `${name}[]`;
  if (only === undefined) return () => shared;
  if (values.length === 1) {
    const write = toKeyWriter(name);
    return (scope) => write(only(scope));
  }
  return (scope) => {
    const key = bucketKeyText(values.map((value) => value(scope)));
    return key === undefined ? undefined : name + key;
  };
}

function lookupStep(
  stream: string,
  name: string,
  lookup: Lookup,
  table: SourceTable,
  rules: EvaluationRules,
): RowStep {
  const { tests, rest } = split(lookup, rules);
  const combinations = toCombinations(lookup.expansions, rules);
  const passes = toPredicate(rest, rules);
  const inputs = lookup.inputs.map((input) => toEvaluator(input, rules));
  const outputs = lookup.outputs.map((output) => toEvaluator(output, rules));
  const scopeOf = scopes(lookup, table);
  return {
    stream,
    side: 'lookup',
    at: lookup.at,
    part: lookup,
    tests,
    run: (row, into) => {
      const base = scopeOf(row);
      const found: LookupRecord[] = [];
      for (const elements of combinations(base)) {
        const scope = elements.length === 0 ? base : { ...base, elements };
        if (!passes(scope)) continue;
        const key = bucketKeyText(inputs.map((input) => input(scope)));
        const values = outputs.map((output) => output(scope));
        if (key !== undefined && bucketKeyText(values) !== undefined) found.push({ key: name + key, values });
      }
      for (const entry of found) into.entries.push(entry);
    },
  };
}

/**
 * Separates tests from other conditions. There are no tests if a table function can fail, because its failure must be reported even
 * if a test does not pass.
 */
function split({ expansions, filter }: Lookup | RowRule, rules: EvaluationRules) {
  return expansions.length > 0 ? { tests: [], rest: filter } : splitFilter(filter, rules);
}

const noElements: EvaluationScope['elements'] = [];

function scopes({ table: pattern }: Lookup | RowRule, table: SourceTable): (row: Row) => EvaluationScope {
  const suffix = matchedSuffix(pattern, table);
  return (row) => ({ row, table, suffix, elements: noElements, request: noRequest });
}
