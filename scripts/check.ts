/** `npm run check`: format, lint, types and unit tests, in parallel; a line for each. */
import { checks } from './run/checks.ts';
import { conclude, runAndReport } from './run/report.ts';

// The share of random cases that is tried: see test/support/house/share.ts.
process.env.HEADWATER_TEST_SHARE ??= '0.1';
conclude(await Promise.all(checks.map((check) => runAndReport(check))));
