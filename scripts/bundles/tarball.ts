/** Creates `headwater-cli-<version>.tgz` from the build: the npm package of the command line, which has its own name. */
import { spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { packageName } from '../../client/cli/init/packageName.ts';
import { temporaryFolder } from '../rigs/temporary.ts';
import { root } from '../root.ts';

interface Manifest {
  readonly version: string;
  readonly [key: string]: unknown;
}

interface PackedFile {
  readonly filename: string;
  readonly files: readonly { readonly path: string }[];
}

/** Keys that a user of the command line needs. All others in package.json belong to the extension. */
const keys = ['version', 'description', 'license', 'keywords', 'repository', 'bin'];

export function tarballPath(): string {
  return join(root, `headwater-cli-${readManifest().version}.tgz`);
}

/** Creates the package and returns the paths in it. */
export function makeTarball(): readonly string[] {
  const folder = temporaryFolder('tarball');
  const files = packIn(root, '--dry-run').files.map(({ path }) => path);
  for (const path of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    cpSync(join(root, path), join(folder, path));
  }
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(packageManifest(), undefined, 2)}\n`);
  for (const old of globSync('*.tgz', { cwd: root })) rmSync(join(root, old));
  packIn(folder, '--pack-destination', root);
  return files;
}

function packageManifest(): object {
  const all = readManifest();
  const { node } = all.engines as { readonly node: string };
  const kept = Object.entries(all).filter(([key]) => keys.includes(key));
  return { name: packageName, ...Object.fromEntries(kept), engines: { node } };
}

function readManifest(): Manifest {
  return JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;
}

/** Runs npm, preferably the one that started this script. */
function packIn(folder: string, ...options: readonly string[]): PackedFile {
  const { npm_execpath: path } = process.env;
  const [program, first] = path === undefined ? ['npm', []] : [process.execPath, [path]];
  const args = [...first, 'pack', '--json', '--ignore-scripts', ...options];
  const { stdout, stderr, status } = spawnSync(program, args, { cwd: folder, encoding: 'utf8' });
  if (status !== 0) throw new Error(`npm pack failed: ${stderr}`);
  const [packed] = JSON.parse(stdout) as readonly PackedFile[];
  if (packed === undefined) throw new Error('npm pack made nothing.');
  return packed;
}

if (import.meta.main) {
  makeTarball();
  console.log(tarballPath());
}
