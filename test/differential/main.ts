/**
 * `npm run fuzz [-- engine <cases> <seed>]`: our verdict on random configs against that of the reference, then who gets
 * which rows against the reference and SQLite. Prints the explained differences by reason, and each unexplained one
 * with its seed, its config and all opinions.
 */

import { compareMembership } from '../membership/membership.ts';
import { compareCases } from './differential.ts';

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
  return verdicts.unexplained.length + differences.length > 0 ? 1 : 0;
}

function report(reasons: ReadonlyMap<string, number>, unexplained: readonly string[]): void {
  for (const [reason, count] of [...reasons].sort((a, b) => b[1] - a[1])) {
    console.log(`${String(count).padStart(6)} explained: ${reason}`);
  }
  for (const difference of unexplained) console.log(`\n${difference}`);
  console.log(`${unexplained.length} unexplained differences.`);
}
