/** `npm run check`: checks format, lint and types and runs the unit tests, in parallel. Prints one line for each. */
import { checks } from './run/checks.ts';
import { conclude, runAndReport } from './run/report.ts';
import { useShortForm } from './run/shortForm.ts';

useShortForm();
conclude(await Promise.all(checks.map((check) => runAndReport(check))));
