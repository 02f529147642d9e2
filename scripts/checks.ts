/** What can be checked without building or starting anything. */
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './root.ts';
import { type RunResult, runScript } from './run/command.ts';
import { nothing, ofExitCode, type Tally } from './run/tally.ts';

export interface Outcome extends RunResult {
  readonly name: string;
  readonly tally: Tally;
}

export const checks: readonly (() => Promise<Outcome>)[] = [formatAndLint, types, unitTests];

const bin = (path: string) => join(root, 'node_modules', path);

async function formatAndLint(): Promise<Outcome> {
  const args = ['check', '--error-on-warnings', '--max-diagnostics=50'];
  const ended = await runScript(bin('@biomejs/biome/bin/biome'), args, { timeoutSeconds: 60 });
  return { ...ended, name: 'format and lint', tally: ofExitCode(ended.code) };
}

async function types(): Promise<Outcome> {
  const ended = await runScript(bin('typescript/bin/tsc'), ['-p', '.'], { timeoutSeconds: 120 });
  return { ...ended, name: 'types', tally: ofExitCode(ended.code) };
}

function unitTests(): Promise<Outcome> {
  return runVitest('unit tests', 'vitest.config.mts');
}

/** With what the tests that failed printed. */
export async function runVitest(name: string, config: string, timeoutSeconds = 1200): Promise<Outcome> {
  const report = join(root, 'artifacts', `${name.replaceAll(' ', '-')}.json`);
  rmSync(report, { force: true });
  const args = [
    'run',
    '--config',
    config,
    '--reporter=dot',
    '--reporter=json',
    `--outputFile.json=${report}`,
  ];
  const ended = await runScript(bin('vitest/vitest.mjs'), args, { timeoutSeconds });
  return { ...ended, name, tally: tallyOfReport(report, ended.code) };
}

function tallyOfReport(report: string, code: number | null): Tally {
  try {
    const { numPassedTests, numFailedTests, numPendingTests, numTodoTests } = JSON.parse(
      readFileSync(report, 'utf8'),
    ) as Record<string, number>;
    // A file that cannot even be loaded fails the run without a failed test.
    const failed = numFailedTests || (code === 0 ? 0 : 1);
    return { passed: numPassedTests ?? 0, failed, skipped: (numPendingTests ?? 0) + (numTodoTests ?? 0) };
  } catch {
    return { ...nothing, failed: 1 };
  }
}
