/**
 * The module that VS Code loads into its extension host. It runs all tests of this folder there, in Node or in a web
 * worker.
 */
import 'mocha/mocha.js';
import { lineReporter } from '../../scripts/rigs/reporter.ts';
import { format } from '../../scripts/run/tally.ts';

export async function run(): Promise<void> {
  mocha.setup({ ui: 'bdd', reporter: lineReporter(Mocha.reporters.Base), timeout: 120_000 });
  await import('./agents.test.ts');
  await import('./console.test.ts');
  await import('./diagnostics.test.ts');
  await import('./lifecycle.test.ts');
  await import('./services.test.ts');
  await import('./sql.test.ts');
  const failed = await new Promise<number>((resolve) => {
    const runner = mocha.run((failures) => {
      const { passes: passed = 0, pending: skipped = 0 } = runner.stats ?? {};
      console.log(format({ passed, failed: failures, skipped }));
      resolve(failures);
    });
  });
  if (failed > 0) throw new Error(`${failed} failed`);
}
