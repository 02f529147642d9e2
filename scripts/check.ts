/** `npm run check`: format, lint, types and unit tests, in parallel; a line for each. */
import { checks } from './run/checks.ts';
import { conclude, runAndReport } from './run/report.ts';
import { useShortForm } from './run/shortForm.ts';

useShortForm();
conclude(await Promise.all(checks.map((check) => runAndReport(check))));
