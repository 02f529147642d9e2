/** `npm run package`: builds, then makes `headwater-<version>.vsix`. */
import { globSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createVSIX } from '@vscode/vsce';
import { buildAll } from './build.ts';
import { root } from './root.ts';

const limitKiB = 1024;

export function vsixPath(): string {
  const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Record<
    string,
    string
  >;
  return join(root, `${name}-${version}.vsix`);
}

/** Whether the VSIX is there and small enough. */
async function packageVsix(): Promise<boolean> {
  for (const old of globSync('*.vsix', { cwd: root })) rmSync(join(root, old));
  const path = vsixPath();
  // Everything is bundled, so node_modules stays outside; links in the README stay relative.
  await createVSIX({
    cwd: root,
    packagePath: path,
    dependencies: false,
    allowMissingRepository: true,
    rewriteRelativeLinks: false,
  });
  const size = statSync(path).size / 1024;
  const within = size <= limitKiB;
  console.log(`${path} ${size.toFixed(1)} KiB${within ? '' : `: more than ${limitKiB} KiB`}`);
  return within;
}

if (import.meta.main) {
  const good = (await buildAll()) === 0 && (await packageVsix());
  process.exitCode = good ? 0 : 1;
}
