/** Runs the tests of a folder with mocha in this process. They drive a workbench from outside. */
import { globSync } from 'node:fs';
import { join } from 'node:path';
import Mocha from 'mocha';
import { root } from '../root.ts';
import { patient } from '../run/patience.ts';
import type { Tally } from '../run/tally.ts';
import { lineReporter } from './reporter.ts';

/** The number of second tries, because a click may miss a moving element. The report names each step that needed one. */
const secondTries = 1;

/** @param beginning the prefix of the names of the files to run; absent: all files */
export async function runUiSuite(folder: string, beginning = ''): Promise<Tally> {
  const reporter = lineReporter(Mocha.reporters.Base);
  const mocha = new Mocha({ ui: 'bdd', reporter, timeout: patient(180_000), retries: secondTries });
  for (const file of globSync(`${folder}/**/${beginning}*.test.ts`, { cwd: root }).sort())
    mocha.addFile(join(root, file));
  await mocha.loadFilesAsync();
  return new Promise((resolve) => {
    const runner = mocha.run((failed) => {
      const { passes: passed = 0, pending: skipped = 0 } = runner.stats ?? {};
      resolve({ passed, failed, skipped });
    });
  });
}
