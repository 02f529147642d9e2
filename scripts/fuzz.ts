/**
 * `npm run fuzz [-- <cases> [<seed>]]`: our verdict on random configs against that of the reference. Prints the
 * explained differences by reason, then each unexplained one with its seed, the smallest config and both opinions.
 */
import { compareCases } from '../test/differential/differential.ts';

const [cases = 20_000, seed = 1] = process.argv.slice(2).map(Number);
const outcome = compareCases(cases, seed);

console.log(`${outcome.cases} cases from seed ${seed}, ${outcome.valid} of them accepted by the reference.`);
for (const [reason, count] of [...outcome.explained].sort((a, b) => b[1] - a[1])) {
  console.log(`${String(count).padStart(6)} explained: ${reason}`);
}
for (const difference of outcome.unexplained) console.log(`\n${difference}`);
console.log(`${outcome.unexplained.length} unexplained differences.`);
process.exitCode = outcome.unexplained.length > 0 ? 1 : 0;
