/** Runs the tests of a folder with mocha in this process. They drive a workbench from outside. */
import { globSync } from 'node:fs';
import { resolve as resolvePath } from 'node:path';
import Mocha from 'mocha';
import { root } from '../root.ts';
import { patient } from '../run/patience.ts';
import { add, nothing, type Tally } from '../run/tally.ts';
import { type Attempt, lineReporter } from './reporter.ts';

/** The number of second tries, because a click may miss a moving element. The report names each step that needed one. */
const secondTries = 1;

/**
 * Runs each suite. After a failed step, the rest of its suite is left out, and the suite is run again from its beginning,
 * because all further steps, and also a second try, begin on the screen that the failure left behind.
 *
 * @param beginning the prefix of the names of the files to run; absent: all files
 */
export async function runUiSuite(folder: string, beginning = ''): Promise<Tally> {
  let attempt: Attempt = 'first';
  const reporter = lineReporter(Mocha.reporters.Base, () => attempt);
  const mocha = new Mocha({ ui: 'bdd', reporter, timeout: patient(180_000), retries: secondTries });
  for (const file of globSync(`${folder}/**/${beginning}*.test.ts`, { cwd: root }).sort())
    mocha.addFile(resolvePath(root, file));
  await mocha.loadFilesAsync();
  mocha.cleanReferencesAfterRun(false);
  const hasFailed = new Set<string>();
  mocha.suite.beforeEach(function () {
    if (this.currentTest !== undefined && hasFailed.has(outermost(this.currentTest))) this.skip();
  });
  const tallies = await runOnce(mocha, (suite) => hasFailed.add(suite));
  hasFailed.clear();
  attempt = 'last';
  for (const [suite, { failed }] of tallies) {
    if (failed === 0 || suite === '') continue;
    mocha.fgrep(suite);
    tallies.set(suite, (await runOnce(mocha)).get(suite) ?? nothing);
  }
  return [...tallies.values()].reduce(add, nothing);
}

/** Returns the tally of each suite that belongs to no other suite, by its title. That of hooks outside of any suite is empty. */
function runOnce(mocha: Mocha, onFailure?: (suite: string) => void): Promise<Map<string, Tally>> {
  const tallies = new Map<string, Tally>();
  return new Promise((resolve) => {
    const runner = mocha.run(() => resolve(tallies));
    const count = (one: Partial<Tally>) => (test: Mocha.Runnable) => {
      const suite = outermost(test);
      tallies.set(suite, add(tallies.get(suite) ?? nothing, { ...nothing, ...one }));
    };
    runner.on('pass', count({ passed: 1 }));
    runner.on('fail', count({ failed: 1 }));
    runner.on('pending', count({ skipped: 1 }));
    runner.on('fail', (test) => onFailure?.(outermost(test)));
  });
}

function outermost({ parent }: Mocha.Runnable): string {
  let suite = parent;
  while (suite?.parent !== undefined && !suite.parent.root) suite = suite.parent;
  return suite?.title ?? '';
}
