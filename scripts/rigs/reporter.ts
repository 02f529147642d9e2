/** The first run of a suite, or its last one. A suite with a failed step is run again after its first run. */
export type Attempt = 'first' | 'last';

/**
 * Creates the reporter for mocha inside and outside VS Code: one line for each test, and one for each finished file. Its base class
 * is that of the running mocha, because VS Code's mocha differs from ours.
 */
export function lineReporter(
  Base: typeof Mocha.reporters.Base,
  attempt: () => Attempt = () => 'last',
): Mocha.ReporterConstructor {
  return class extends Base {
    constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
      super(runner, options);
      let began = Date.now();
      runner.on('suite', (suite) => {
        if (suite.parent?.root === true) began = Date.now();
      });
      runner.on('suite end', (suite) => {
        if (suite.parent?.root !== true) return;
        console.log(`  ■ ${suite.title}, ${((Date.now() - began) / 1000).toFixed(1)} s`);
      });
      runner.on('pass', (test) => console.log(`  ✔ ${test.fullTitle()} (${test.duration} ms)`));
      runner.on('retry', (test, error) =>
        console.log(`  ↻ ${test.fullTitle()} failed and is tried again\n${error.stack ?? error}`),
      );
      runner.on('pending', (test) => console.log(`  – ${test.fullTitle()}`));
      runner.on('fail', (test, error) => {
        const failure =
          attempt() === 'last'
            ? `✖ ${test.fullTitle()}`
            : `↻ ${test.fullTitle()} failed again, so its suite is run again`;
        console.log(`  ${failure}\n${error.stack ?? error}`);
      });
    }
  };
}
