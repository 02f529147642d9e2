/** `npm run check`: format, lint, types and unit tests, in parallel; a line for each. */
import { checks } from './run/checks.ts';
import { report } from './run/report.ts';
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
