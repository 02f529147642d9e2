/** The checks that need no build and start no service. */
import { join } from 'node:path';
import { root } from '../root.ts';
import { type RunResult, runScript } from './command.ts';
import { format, ofExitCode, type Tally } from './tally.ts';
import { runVitest, type Watch } from './vitest.ts';

export interface Outcome extends RunResult {
  readonly name: string;
  readonly tally: Tally;
}

export const checks: readonly ((watch?: Watch) => Promise<Outcome>)[] = [formatAndLint, types, unitTests];

export async function formatAndLint(): Promise<Outcome> {
  const args = ['check', '--error-on-warnings', '--max-diagnostics=50'];
  const ended = await runScript(toolPath('@biomejs/biome/bin/biome'), args);
  return { ...ended, name: 'format and lint', tally: ofExitCode(ended.code) };
}

export async function types(): Promise<Outcome> {
  const ended = await runScript(toolPath('typescript/bin/tsc'), ['-p', '.']);
  return { ...ended, name: 'types', tally: ofExitCode(ended.code) };
}

function unitTests(watch?: Watch): Promise<Outcome> {
  return runVitest('unit tests', 'vitest.config.mts', watch);
}

function toolPath(path: string): string {
  return join(root, 'node_modules', path);
}

/** Prints one line for a check, after its output if it failed. */
export function report({ name, tally, seconds, output }: Outcome): void {
  if (tally.failed > 0) console.log(output.trim());
  const verdict = tally.failed > 0 ? 'FAILED' : 'ok';
  console.log(
    `${verdict.padEnd(6)} ${name.padEnd(16)} ${seconds.toFixed(1).padStart(5)} s  ${format(tally)}`,
  );
}
