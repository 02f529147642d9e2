import { join } from 'node:path';
import { startGroup } from './rigs/process.ts';
import { temporaryFolder } from './rigs/temporary.ts';

/** Opens a folder in the desktop's VS Code, with a profile of its own; returns when its window is closed. */
export async function openDesktop(code: string, vsix: string, folder: string, file: string): Promise<number> {
  const home = temporaryFolder('desktop');
  const profile = ['--user-data-dir', join(home, 'data'), '--extensions-dir', join(home, 'extensions')];
  const installed = await runCode(code, [...profile, '--install-extension', vsix, '--force']);
  if (installed !== 0) {
    console.error(`${code} could not install ${vsix}: see above.`);
    return 1;
  }
  console.log(`Opening ${folder} in ${code}. Close its window to end this.`);
  return runCode(code, [...profile, '--new-window', '--wait', '--disable-workspace-trust', folder, file]);
}

function runCode(code: string, args: readonly string[]): Promise<number> {
  // On Windows `code` is a batch file.
  const child = startGroup(code, args, { stdio: 'inherit', shell: process.platform === 'win32' });
  return new Promise((resolve) => {
    child.once('error', () => resolve(1));
    child.once('close', (exitCode) => resolve(exitCode ?? 1));
  });
}
