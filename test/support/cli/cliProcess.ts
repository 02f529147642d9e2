/** The CLI as it is shipped: the bundle runs in its own process and uses real files. */
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundles } from '../../../scripts/bundles/bundles.ts';
import { root } from '../../../scripts/root.ts';
import { patient } from '../../../scripts/run/patience.ts';

export interface CliProcess {
  /** The working directory of `run`: a temporary folder, which contains only the program. */
  readonly folder: string;
  /** The path of the program. */
  readonly program: string;
  readonly run: (...args: string[]) => ProcessResult;
  readonly runIn: (folder: string, ...args: string[]) => ProcessResult;
  readonly remove: () => void;
}

export interface ProcessResult {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Copies the built program into a folder of its own. */
export function copyCli(): CliProcess {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'headwater-cli-')));
  const program = join(folder, 'cli.js');
  for (const { out } of bundles.filter(({ entry }) => entry.startsWith('client/cli/')))
    copyFileSync(join(root, 'dist', out), join(folder, out));
  const runIn: CliProcess['runIn'] = (cwd, ...args) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
      cwd,
      encoding: 'utf8',
      // The environment of the user who runs the tests is not passed on: no service, no token, no colours.
      env: { PATH: process.env.PATH },
      timeout: patient(60_000),
    });
    return { status, stdout, stderr };
  };
  return {
    folder,
    program,
    run: (...args) => runIn(folder, ...args),
    runIn,
    remove: () => rmSync(folder, { recursive: true }),
  };
}
