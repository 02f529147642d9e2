/**
 * `npm run properties`: the properties of reasons and of schemas, with all of their cases. *Reason*: what *Why?* blames for an absent row
 * is false, and what it does not blame is true, for random rows and users. *Schema*: nothing is reported as missing that a database has
 * after it has run the same scripts, for many layouts of projects. `npm test` runs the same tests, and `npm run check` a tenth of
 * the random cases.
 */
import { conclude, runAndReport } from './run/report.ts';
import { runVitest } from './run/vitest.ts';

process.env.HEADWATER_TEST_SHARE = '1';
const parts = [
  { name: 'reason', config: 'vitest.config.mts', files: ['test/engine/reasons/rowConditions.test.ts'] },
  {
    name: 'schema',
    config: 'vitest.live.config.mts',
    files: ['test/cli/project/projectTables.live.test.ts'],
  },
];
const results = [];
for (const { name, ...suite } of parts)
  results.push(await runAndReport(() => runVitest(`property ${name}`, suite)));
conclude(results);
