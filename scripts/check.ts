/** `npm run check`: format, lint, types and unit tests, in parallel; a line for each. */
import { checks, type Outcome } from './checks.ts';
import { add, format, nothing } from './run/tally.ts';

// The share of random cases that is tried: see test/support/house/share.ts.
process.env.HEADWATER_TEST_SHARE ??= '0.1';
const outcomes = await Promise.all(
  checks.map(async (check) => {
    const outcome = await check();
    report(outcome);
    return outcome;
  }),
);
const total = outcomes.reduce((sum, { tally }) => add(sum, tally), nothing);
console.log(format(total));
process.exitCode = total.failed > 0 ? 1 : 0;

/** What a tool printed matters only if it failed. */
function report({ name, tally, seconds, output }: Outcome): void {
  if (tally.failed > 0) console.log(output.trim());
  const verdict = tally.failed > 0 ? 'FAILED' : 'ok';
  console.log(
    `${verdict.padEnd(6)} ${name.padEnd(16)} ${seconds.toFixed(1).padStart(5)} s  ${format(tally)}`,
  );
}
