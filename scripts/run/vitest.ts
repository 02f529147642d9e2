/** Runs a suite of Vitest, and counts all tests that have ended, even if the run itself fails. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../root.ts';
import { type RunResult, runScript } from './command.ts';
import { isProgress, type Progress } from './progress.ts';
import type { PartResult } from './report.ts';
import { add, nothing, type Tally } from './tally.ts';

interface Suite {
  readonly config: string;
  /** Paths of test files, relative to the root. Absent: all files of the config. */
  readonly files?: readonly string[];
}

/** Called with each report of a suite's progress. */
export type Watch = (suite: string, progress: Progress) => void;

/**
 * Runs a suite. Everything that it printed is in `artifacts/`. Its failures are also returned as output, unless a watcher has
 * already received them.
 */
export async function runVitest(
  name: string,
  { config, files = [] }: Suite,
  watch?: Watch,
): Promise<PartResult> {
  const counting = new SuiteCount();
  const take = (progress: Progress): void => {
    counting.take(progress);
    watch?.(name, progress);
  };
  const args = ['run', '--config', config, '--reporter=./scripts/run/vitestReporter.ts', ...files];
  const ended = await runScript(join(root, 'node_modules/vitest/vitest.mjs'), args, {
    onMessage: (message) => isProgress(message) && take(message),
  });
  for (const progress of counting.missing(ended)) take(progress);
  mkdirSync(join(root, 'artifacts'), { recursive: true });
  writeFileSync(join(root, 'artifacts', `${name.replaceAll(' ', '-')}.log`), ended.output);
  const output = watch === undefined ? counting.failures.join('\n\n') : '';
  return { ...ended, name, tally: counting.tally, output };
}

/** Adds up the reports of a suite, so that no ended test is lost even if the suite itself fails. */
export class SuiteCount {
  readonly failures: string[] = [];
  readonly #unfinished = new Set<string>();
  #tally: Tally = nothing;

  get tally(): Tally {
    return this.#tally;
  }

  take(progress: Progress): void {
    if (progress.kind === 'started') this.#unfinished.add(progress.file);
    if (progress.kind === 'failure') this.failures.push(progress.text);
    if (progress.kind !== 'ended') return;
    this.#unfinished.delete(progress.file);
    this.#tally = add(this.#tally, progress.tally);
  }

  /** Returns reports for what the suite itself did not report. Each file that has not ended counts as one failure. */
  missing({ code, output }: Pick<RunResult, 'code' | 'output'>): readonly Progress[] {
    const failureOf = (file: string, text: string): readonly Progress[] => [
      { kind: 'failure', text },
      { kind: 'ended', file, tally: { ...nothing, failed: 1 }, seconds: 0 },
    ];
    if (this.#unfinished.size > 0)
      return [...this.#unfinished].flatMap((file) => failureOf(file, `✖ ${file} did not end.`));
    const { passed, failed: failures } = this.#tally;
    const isConsistent = failures > 0 || (code === 0 && passed > 0);
    return isConsistent
      ? []
      : failureOf('the runner', `✖ The runner ended with code ${code}.\n${output.trim()}`);
  }
}
