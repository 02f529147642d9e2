/**
 * Reports a run of Vitest file by file, and ends the worker of a file that makes no more progress, so that the other files
 * continue. The output of tests is collected, and is shown only for tests that fail.
 */
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { SerializedError, UserConsoleLog } from 'vitest';
import type { Reporter, TestCase, TestModule, TestSpecification } from 'vitest/node';
import { patient } from './patience.ts';
import { sendProgress } from './progress.ts';
import { countResults, describeLoss, type Results } from './results.ts';
import { nothing } from './tally.ts';
import { workersFolder } from './workers.ts';

/** The usual limit of silence in milliseconds, which is longer than any test may take. See the limits in vitest.*.mts. */
const usualSilence = 480_000;

/** The number of characters to keep from the end of a test's output. */
const mostPrinted = 10_000;

interface RunningFile {
  /** Its tests are known as soon as it has been loaded. */
  module: TestModule;
  readonly began: number;
  heard: number;
  /** The name of the test that was started last. */
  test: string;
}

export default class ProgressReporter implements Reporter {
  readonly #running = new Map<string, RunningFile>();
  readonly #printed = new Map<string, string>();
  readonly #silence = Number(process.env.HEADWATER_SILENCE_MS ?? patient(usualSilence));
  #watch: NodeJS.Timeout | undefined;

  onTestRunStart(specifications: readonly TestSpecification[]): void {
    sendProgress({ kind: 'files', count: specifications.length });
    this.#watch = setInterval(() => this.#endSilent(), Math.min(5_000, this.#silence)).unref();
  }

  onTestModuleQueued(module: TestModule): void {
    const now = performance.now();
    this.#running.set(module.id, { module, began: now, heard: now, test: 'its beginning' });
    sendProgress({ kind: 'started', file: nameOf(module) });
  }

  onTestModuleStart(module: TestModule): void {
    const running = this.#running.get(module.id);
    if (running !== undefined) Object.assign(running, { module, heard: performance.now() });
  }

  onTestCaseReady(test: TestCase): void {
    const running = this.#running.get(test.module.id);
    if (running !== undefined) Object.assign(running, { heard: performance.now(), test: test.fullName });
  }

  onTestCaseResult(test: TestCase): void {
    const { state, errors } = test.result();
    const running = this.#running.get(test.module.id);
    if (running !== undefined) running.heard = performance.now();
    sendProgress({ kind: 'test', file: nameOf(test.module) });
    if (state === 'failed') this.#tell(`${nameOf(test.module)} > ${test.fullName}`, errors, test.id);
  }

  onUserConsoleLog({ taskId = '', content }: UserConsoleLog): void {
    this.#printed.set(taskId, ((this.#printed.get(taskId) ?? '') + content).slice(-mostPrinted));
  }

  onTestModuleEnd(module: TestModule): void {
    const errors = [
      ...module.errors(),
      ...[...module.children.allSuites()].flatMap((suite) => suite.errors()),
    ];
    const lost = errors.length === 0 ? describeLoss(resultsOf(module)) : undefined;
    if (lost !== undefined) errors.push({ message: lost });
    if (errors.length > 0) this.#tell(nameOf(module), errors, module.id);
    this.#end(module, errors.length > 0 ? 1 : 0);
  }

  onTestRunEnd(_modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    clearInterval(this.#watch);
    rmSync(workersFolder(process.pid), { recursive: true, force: true });
    // The workers of these files have ended: either we or the system ended them, or they crashed.
    for (const { module, test } of [...this.#running.values()]) {
      this.#tell(
        nameOf(module),
        [{ message: `Its process ended. It was last heard of in: ${test}` }],
        module.id,
      );
      this.#end(module, 1);
    }
    const others = errors.filter(({ message }) => !message.startsWith('[vitest-pool]'));
    if (others.length === 0) return;
    this.#tell('outside of the tests', others, '');
    sendProgress({
      kind: 'ended',
      file: 'outside of the tests',
      tally: { ...nothing, failed: 1 },
      seconds: 0,
    });
  }

  #end(module: TestModule, broken: number): void {
    const { began = performance.now() } = this.#running.get(module.id) ?? {};
    this.#running.delete(module.id);
    const { passed, failed, skipped } = resultsOf(module);
    // A file that cannot be loaded has no failed test, so it is counted separately.
    const tally = { passed, failed: failed + broken, skipped };
    const seconds = (performance.now() - began) / 1000;
    sendProgress({ kind: 'ended', file: nameOf(module), tally, seconds });
  }

  #endSilent(): void {
    for (const { module, heard, test } of this.#running.values()) {
      if (performance.now() - heard < this.#silence) continue;
      const pid = workerOf(module.moduleId);
      if (pid === undefined) continue;
      const seconds = Math.round(this.#silence / 1000);
      this.#tell(
        nameOf(module),
        [{ message: `No progress for ${seconds} s, so it was ended. It was last heard of in: ${test}` }],
        module.id,
      );
      process.kill(pid, 'SIGKILL');
    }
  }

  #tell(title: string, errors: readonly Partial<SerializedError>[], task: string): void {
    const printed = this.#printed.get(task);
    const texts = errors.map(({ message, stack, diff }) =>
      [message, framesIn(stack), diff].filter((part) => part).join('\n'),
    );
    sendProgress({
      kind: 'failure',
      text: [`✖ ${title}`, ...texts, ...(printed === undefined ? [] : ['It printed:', printed])].join('\n'),
    });
  }
}

const resultsOf = (module: TestModule): Results =>
  countResults([...module.children.allTests()].map((test) => test.result().state));

/** Returns the frames of a stack. If a test ran out of time, its stack begins with a placeholder instead of the message. */
function framesIn(stack = ''): string {
  const ours = stack.split('\n').filter((line) => /^\s+at /.test(line) && !line.includes('/node_modules/'));
  return ours.join('\n');
}

const nameOf = ({ relativeModuleId }: TestModule): string => relativeModuleId;

/** Returns the process of a worker, which the worker itself has recorded. See `test/support/house/worker.ts`. */
function workerOf(file: string): number | undefined {
  const note = join(workersFolder(process.pid), encodeURIComponent(file));
  try {
    const pid = Number(readFileSync(note, 'utf8'));
    rmSync(note);
    return pid;
  } catch {
    return undefined;
  }
}
