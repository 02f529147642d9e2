/**
 * `npm run package [-- --built] [--record]`: builds, then creates `headwater-<version>.vsix` and `headwater-cli-<version>.tgz`.
 * With `--built`, only creates the first from the existing build. `--record` records the sizes as those of the last release.
 */
import { globSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createVSIX } from '@vscode/vsce';
import { buildAll } from './build.ts';
import type { Ceiling } from './bundles/bundles.ts';
import { recordRelease, sizeReport, vsixSize } from './bundles/sizes.ts';
import { makeTarball, tarballPath } from './bundles/tarball.ts';
import { root } from './root.ts';

/** The ceiling of the package without the embedded database, which is optional. */
export const vsixCeiling: Ceiling = { kib: 3100, reason: 'Every user downloads it again with each version.' };

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

/** Returns whether the VSIX exists and does not exceed its ceiling. */
async function packageVsix(): Promise<boolean> {
  for (const old of globSync('*.vsix', { cwd: root })) rmSync(join(root, old));
  const path = vsixPath();
  // Everything is bundled, so node_modules is excluded. The extension view does not follow relative links, so they are replaced
  // with addresses in the repository, if there is one.
  await createVSIX({
    cwd: root,
    packagePath: path,
    dependencies: false,
    allowMissingRepository: true,
    rewriteRelativeLinks: readManifest().repository !== undefined,
  });
  const { isWithin, line } = sizeReport('vsix', vsixSize(path), { ceiling: vsixCeiling });
  const whole = (statSync(path).size / 1024).toFixed(1);
  console.log(`${path} ${whole} KiB; without the embedded database ${line}`);
  return isWithin;
}

if (import.meta.main) {
  const isBuilt = process.argv.includes('--built');
  const good = (isBuilt || (await buildAll()) === 0) && (await packageVsix());
  if (good && process.argv.includes('--record')) recordRelease(readManifest().version, vsixSize(vsixPath()));
  if (good && !isBuilt) {
    makeTarball();
    console.log(tarballPath());
  }
  process.exitCode = good ? 0 : 1;
}
