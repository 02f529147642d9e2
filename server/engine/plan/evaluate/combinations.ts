/** Combines the elements of a rule's table functions. Each combination is evaluated separately. */
import type { Expansion } from '../plan.ts';
import { fail } from '../values/failure.ts';
import { type Element, jsonArray, jsonEach, sqliteJsonEach } from '../values/jsonEach.ts';
import { toText } from '../values/text.ts';
import type { SqlValue } from '../values/value.ts';
import { toEvaluator } from './expression.ts';
import type { EvaluationRules, EvaluationScope, Evaluator } from './scope.ts';

/** The maximum number of combinations for one row and one rule, because each combination may become a row of a separate bucket. */
const mostCombinations = 100_000;

const noElements: readonly (readonly Element[])[] = [[]];

/**
 * Returns a function for all combinations. Without expansions, there is one empty combination; if an expansion has no elements,
 * there is none.
 */
export function toCombinations(
  expansions: readonly Expansion[],
  rules: EvaluationRules,
): (scope: EvaluationScope) => readonly (readonly Element[])[] {
  if (expansions.length === 0) return () => noElements;
  const lists = expansions.map((expansion) => toElements(expansion, rules));
  return (scope) => {
    let combinations = noElements;
    for (const list of lists) {
      const elements = list(scope);
      if (combinations.length * elements.length > mostCombinations) fail('too-many-results');
      combinations = combinations.flatMap((before) => elements.map((element) => [...before, element]));
    }
    return combinations;
  };
}

export function toElements(
  expansion: Expansion,
  rules: EvaluationRules,
): (scope: EvaluationScope) => readonly Element[] {
  const { function: name } = expansion;
  const read = Object.hasOwn(tableFunctions, name) ? tableFunctions[name] : undefined;
  if (read === undefined) return () => fail('unknown-table-function');
  const input: Evaluator | undefined = expansion.args[0] && toEvaluator(expansion.args[0], rules);
  if (input === undefined) return () => fail('json-each-argument-count');
  if (rules.sqliteEngine && name === 'json_each')
    return (scope) => sqliteJsonEach(numberAsText(input(scope)));
  return (scope) => read(input(scope));
}

/** Converts a number to its JSON text, which is how SQLite reads it. */
function numberAsText(value: SqlValue): SqlValue {
  return typeof value === 'bigint' || typeof value === 'number' ? toText(value) : value;
}

const tableFunctions: Readonly<Record<string, (input: SqlValue) => readonly Element[]>> = {
  json_each: jsonEach,
  json_array: jsonArray,
};
