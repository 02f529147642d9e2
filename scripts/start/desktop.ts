import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startGroup } from '../rigs/process.ts';
import { temporaryFolder } from '../rigs/temporary.ts';
import type { Opening, Workbench } from './workbench.ts';

/** Opens a folder in the desktop's VS Code with a separate profile. */
export async function openDesktop(
  program: string,
  vsix: string,
  { folder, file, settings, env }: Opening,
): Promise<Workbench> {
  const home = temporaryFolder('desktop');
  mkdirSync(join(home, 'data/User'), { recursive: true });
  writeFileSync(join(home, 'data/User/settings.json'), JSON.stringify(settings));
  const profile = ['--user-data-dir', join(home, 'data'), '--extensions-dir', join(home, 'extensions')];
  const installed = await runCode(program, [...profile, '--install-extension', vsix, '--force'], env);
  if (installed !== 0)
    return { kind: 'missing', sentence: `${program} could not install ${vsix}, for the reason above.` };
  const window = ['--new-window', '--wait', '--disable-workspace-trust', folder, file];
  return { kind: 'desktop', program, ended: runCode(program, [...profile, ...window], env) };
}

/** Runs `code`. On Windows it is a batch file, which needs a shell, and Node does not quote arguments for a shell. */
function runCode(code: string, args: readonly string[], env: Opening['env']): Promise<number> {
  const isBatch = process.platform === 'win32';
  const [program = '', ...rest] = isBatch ? [code, ...args].map((word) => `"${word}"`) : [code, ...args];
  const child = startGroup(program, rest, {
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: isBatch,
    env: { ...process.env, ...env },
  });
  return new Promise((resolve) => {
    child.once('error', () => resolve(1));
    child.once('close', (exitCode) => resolve(exitCode ?? 1));
  });
}
