/** The sources of a former commit in a folder of their own, with its service built: what a table has as *before*. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../../../../scripts/root.ts';

export interface Checkout {
  readonly commit: string;
  readonly folder: string;
  /** Its built service. */
  readonly program: string;
  readonly close: () => void;
}

/** Opens a commit with the packages that are installed here, because their costs are not compared. */
export function openCheckout(name: string): Checkout {
  const commit = run('git', ['rev-parse', '--short', `${name}^{commit}`]).trim();
  const folder = mkdtempSync(join(tmpdir(), 'headwater-before-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  const giveUp = (): void => {
    remove();
    process.exit(1);
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, giveUp);
  try {
    const sources = join(folder, 'sources');
    const archive = join(folder, 'sources.tar');
    mkdirSync(sources);
    run('git', ['archive', '--format=tar', `--output=${archive}`, commit]);
    run('tar', ['-xf', archive, '-C', sources]);
    rmSync(archive);
    symlinkSync(join(root, 'node_modules'), join(sources, 'node_modules'), 'junction');
    const program = buildService(sources);
    return {
      commit,
      folder: sources,
      program,
      close: remove,
    };
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

/** Builds only the service, because other bundles may need packages that are no longer installed. */
function buildService(sources: string): string {
  const program = join(sources, 'dist/service.js');
  let said = '';
  for (const script of ['generate', 'build']) {
    try {
      said = run(process.execPath, [noWarning, join(sources, `scripts/${script}.ts`)], sources);
    } catch (error) {
      said = (error as Error).message;
    }
  }
  if (!existsSync(program)) throw new Error(`The service of the former commit cannot be built:\n${said}`);
  return program;
}

const noWarning = '--disable-warning=MODULE_TYPELESS_PACKAGE_JSON';

function run(command: string, args: readonly string[], cwd = root): string {
  return execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}
