/** The checks that neither need a build nor start a service. */
import { join } from 'node:path';
import { root } from '../root.ts';
import { runScript } from './command.ts';
import type { PartResult } from './report.ts';
import { ofExitCode } from './tally.ts';
import { runVitest, type Watch } from './vitest.ts';

export const checks: readonly ((watch?: Watch) => Promise<PartResult>)[] = [formatAndLint, types, unitTests];

export async function formatAndLint(): Promise<PartResult> {
  const args = ['check', '--error-on-warnings', '--max-diagnostics=50'];
  const ended = await runScript(toolPath('@biomejs/biome/bin/biome'), args);
  return { ...ended, name: 'format and lint', tally: ofExitCode(ended.code) };
}

export async function types(): Promise<PartResult> {
  const ended = await runScript(toolPath('typescript/bin/tsc'), ['-p', '.']);
  return { ...ended, name: 'types', tally: ofExitCode(ended.code) };
}

function unitTests(watch?: Watch): Promise<PartResult> {
  return runVitest('unit tests', { config: 'vitest.config.mts' }, watch);
}

function toolPath(path: string): string {
  return join(root, 'node_modules', path);
}
