import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startGroup } from './rigs/process.ts';
import { temporaryFolder } from './rigs/temporary.ts';
import type { Opening } from './start/workbench.ts';

/** Opens a folder in the desktop's VS Code, with a profile of its own; returns when its window is closed. */
export async function openDesktop(
  code: string,
  vsix: string,
  { folder, file, settings, env }: Opening,
): Promise<number> {
  const home = temporaryFolder('desktop');
  mkdirSync(join(home, 'data/User'), { recursive: true });
  writeFileSync(join(home, 'data/User/settings.json'), JSON.stringify(settings));
  const profile = ['--user-data-dir', join(home, 'data'), '--extensions-dir', join(home, 'extensions')];
  const installed = await runCode(code, [...profile, '--install-extension', vsix, '--force'], env);
  if (installed !== 0) {
    console.error(`${code} could not install ${vsix}: see above.`);
    return 1;
  }
  return runCode(
    code,
    [...profile, '--new-window', '--wait', '--disable-workspace-trust', folder, file],
    env,
  );
}

function runCode(code: string, args: readonly string[], env: Opening['env']): Promise<number> {
  // On Windows `code` is a batch file.
  const shell = process.platform === 'win32';
  const child = startGroup(code, args, {
    stdio: ['ignore', 'inherit', 'inherit'],
    shell,
    env: { ...process.env, ...env },
  });
  return new Promise((resolve) => {
    child.once('error', () => resolve(1));
    child.once('close', (exitCode) => resolve(exitCode ?? 1));
  });
}
