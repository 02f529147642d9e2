/**
 * How mocha reports, inside VS Code and outside: one line a test. It is made from the base class of the mocha
 * that runs, because the one inside VS Code is another than ours.
 */
export function lineReporter(Base: typeof Mocha.reporters.Base): Mocha.ReporterConstructor {
  return class extends Base {
    constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
      super(runner, options);
      runner.on('pass', (test) => console.log(`  ✔ ${test.fullTitle()} (${test.duration} ms)`));
      runner.on('retry', (test, error) =>
        console.log(`  ↻ ${test.fullTitle()}, once more\n${error.stack ?? error}`),
      );
      runner.on('pending', (test) => console.log(`  – ${test.fullTitle()}`));
      runner.on('fail', (test, error) => console.log(`  ✖ ${test.fullTitle()}\n${error.stack ?? error}`));
    }
  };
}
