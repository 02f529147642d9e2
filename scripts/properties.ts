/**
 * `npm run properties`: all random cases of the tests. `npm test` tries a third of them, and `npm run check` a tenth. Among them are the
 * properties of *reason*: what *Why?* blames for an absent row is false, and what it does not blame is true, for random rows and
 * users. A part of its own is *schema*: nothing is reported as missing that a database has after it has run the same scripts, for
 * many layouts of projects.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './root.ts';
import { conclude, runAndReport } from './run/report.ts';
import { runVitest } from './run/vitest.ts';

process.env.HEADWATER_TEST_SHARE = '1';
process.env.HEADWATER_RANDOM_SHARE = '1';
const random = globSync('test/**/*.test.ts', { cwd: root }).filter((file) =>
  /\bcasesOf\(/.test(readFileSync(join(root, file), 'utf8')),
);
const isLive = (file: string) => file.endsWith('.live.test.ts');
const parts = [
  { name: 'random', config: 'vitest.config.mts', files: random.filter((file) => !isLive(file)) },
  { name: 'random live', config: 'vitest.live.config.mts', files: random.filter(isLive) },
  {
    name: 'schema',
    config: 'vitest.live.config.mts',
    files: ['projectTables', 'layouts'].map((name) => `test/cli/project/${name}.live.test.ts`),
  },
];
const results = [];
for (const { name, ...suite } of parts)
  results.push(await runAndReport(() => runVitest(`property ${name}`, suite)));
conclude(results);
