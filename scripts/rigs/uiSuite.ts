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
  const tallies = new Map<string, Tally>();
  const hasFailed = (suite: string): boolean => (tallies.get(suite)?.failed ?? 0) > 0;
  mocha.suite.beforeEach(function () {
    const { currentTest } = this;
    if (attempt === 'first' && currentTest !== undefined && hasFailed(outermost(currentTest))) this.skip();
  });
  await runOnce(mocha, tallies);
  attempt = 'last';
  for (const suite of [...tallies.keys()].filter(hasFailed)) {
    if (suite === '') continue;
    mocha.fgrep(suite);
    const again = new Map<string, Tally>();
    await runOnce(mocha, again);
    tallies.set(suite, again.get(suite) ?? nothing);
  }
  return [...tallies.values()].reduce(add, nothing);
}

/** Counts the results of each suite that belongs to no other suite, by its title. That of hooks outside of any suite is empty. */
function runOnce(mocha: Mocha, tallies: Map<string, Tally>): Promise<void> {
  return new Promise((resolve) => {
    const runner = mocha.run(() => resolve());
    const count = (one: Partial<Tally>) => (test: Mocha.Runnable) => {
      const suite = outermost(test);
      tallies.set(suite, add(tallies.get(suite) ?? nothing, { ...nothing, ...one }));
    };
    runner.on('pass', count({ passed: 1 }));
    runner.on('fail', count({ failed: 1 }));
    runner.on('pending', count({ skipped: 1 }));
  });
}

function outermost({ parent }: Mocha.Runnable): string {
  let suite = parent;
  while (suite?.parent !== undefined && !suite.parent.root) suite = suite.parent;
  return suite?.title ?? '';
}
