/**
 * `npm run fuzz [-- engine <cases> <seed>]`: our verdict on random configs against that of the reference, then who gets
 * which rows against the reference and SQLite, then every function and operator with values at the edges. Prints the explained differences by reason, and each unexplained one
 * with its seed, its config and all opinions.
 */

import { allCases, compareExpressions } from '../expressions/compare.ts';
import { compareMembership } from '../membership/membership.ts';
import { compareCases } from './differential.ts';
import { randomFrom } from './random.ts';

/** The exit code. */
export async function compareEngines(cases = 20_000, seed = Date.now() % 1_000_000_000): Promise<number> {
  const verdicts = compareCases(cases, seed);
  console.log(
    `${verdicts.cases} cases from seed ${seed}, ${verdicts.valid} of them accepted by the reference.`,
  );
  report(verdicts.explained, verdicts.unexplained);

  // A case of rows and requests costs about as much as seven verdicts.
  const { evaluations, given, explained, differences } = await compareMembership(Math.ceil(cases / 7), seed);
  console.log(`\n${evaluations} pairs of a row and a request, ${given} of them given.`);
  report(explained, differences);

  // Every function, operator and cast, with all values for one operand.
  const pairs = Math.ceil(cases / 100);
  const values = await compareExpressions(allCases(), randomFrom(seed), { 1: 1_000, 2: pairs, 3: pairs });
  console.log(`\n${values.cases} expressions.`);
  report(values.explained, values.unexplained);
  return verdicts.unexplained.length + differences.length + values.unexplained.length > 0 ? 1 : 0;
}

function report(reasons: ReadonlyMap<string, number>, unexplained: readonly string[]): void {
  for (const [reason, count] of [...reasons].sort((a, b) => b[1] - a[1])) {
    console.log(`${String(count).padStart(6)} explained: ${reason}`);
  }
  for (const difference of unexplained) console.log(`\n${difference}`);
  console.log(`${unexplained.length} unexplained differences.`);
}
