/** `npm run package [-- --built]`: builds, unless that is done, then makes `headwater-<version>.vsix`. */
import { globSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { createVSIX } from '@vscode/vsce';
import { buildAll } from './build.ts';
import { database } from './bundles/bundles.ts';
import { root } from './root.ts';

/**
 * Without the embedded database, which is an optional part of it. Two languages, access tests and tools for agents brought
 * 168, the console with its API 190, the rows of SQL files for access tests
 * 22, what makes lookups read less 15, completion in access tests 4, and exact words for who gets which rows, and why
 * somebody does not, 10, places of mistakes in a project's service config 2, and fixes that decide who gets which rows, the last 2.
 */
const limitKiB = 2498;

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly repository?: unknown;
}

export function vsixPath(): string {
  const { name, version } = readManifest();
  return join(root, `${name}-${version}.vsix`);
}

function readManifest(): Manifest {
  return JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;
}

/** Whether the VSIX is there and small enough. */
async function packageVsix(): Promise<boolean> {
  for (const old of globSync('*.vsix', { cwd: root })) rmSync(join(root, old));
  const path = vsixPath();
  // Everything is bundled, so node_modules stays outside. The extension view follows no relative links: they become
  // addresses in the repository, unless there is none.
  await createVSIX({
    cwd: root,
    packagePath: path,
    dependencies: false,
    allowMissingRepository: true,
    rewriteRelativeLinks: readManifest().repository !== undefined,
  });
  const size = statSync(path).size / 1024;
  const own = size - databaseKiB();
  const within = own <= limitKiB;
  const shown = `${size.toFixed(1)} KiB, ${own.toFixed(1)} KiB without the embedded database`;
  console.log(`${path} ${shown}${within ? '' : `: more than ${limitKiB} KiB`}`);
  return within;
}

/** Compressed as in the package. */
function databaseKiB(): number {
  const files = globSync(`dist/${database.to}/*`, { cwd: root });
  const sizes = files.map((file) => deflateRawSync(readFileSync(join(root, file))).length);
  return sizes.reduce((sum, size) => sum + size, 0) / 1024;
}

if (import.meta.main) {
  const isBuilt = process.argv.includes('--built') || (await buildAll()) === 0;
  const good = isBuilt && (await packageVsix());
  process.exitCode = good ? 0 : 1;
}
