/**
 * `npm run build`: builds all bundles into `dist/`, with the licences of their packages, and prints their sizes, ceilings and
 * growth.
 */
import { chmodSync, copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type BuildFailure, formatMessages } from 'esbuild';
import { writeBundle } from './bundles/bundle.ts';
import { type Bundle, bundles, consolePage, database } from './bundles/bundles.ts';
import { bundleSize, sizeReport } from './bundles/sizes.ts';
import { type Contents, noticesFile, noticesOf, textOf } from './notices.ts';
import { root } from './root.ts';

const dist = join(root, 'dist');

/** Returns the number of bundles that could not be built, exceed their ceiling, or contain code that must not be distributed. */
export async function buildAll(): Promise<number> {
  rmSync(dist, { recursive: true, force: true });
  copyDatabase();
  copyConsolePage();
  const verdicts = await Promise.all(bundles.map(buildOne));
  const isFree = writeNotices(verdicts.flatMap(({ contents = [] }) => contents));
  return verdicts.filter(({ good }) => !good).length + (isFree ? 0 : 1);
}

function writeNotices(contents: readonly Contents[]): boolean {
  try {
    writeFileSync(join(dist, noticesFile), textOf(noticesOf(contents)));
    return true;
  } catch (error) {
    console.error((error as Error).message);
    return false;
  }
}

function copyDatabase(): void {
  mkdirSync(join(dist, database.to), { recursive: true });
  for (const file of database.files) copyFileSync(join(root, file), join(dist, database.to, basename(file)));
}

function copyConsolePage(): void {
  const to = join(dist, consolePage.to);
  mkdirSync(dirname(to), { recursive: true });
  copyFileSync(join(root, consolePage.from), to);
}

interface Verdict {
  readonly good: boolean;
  /** Absent if the bundle could not be built. */
  readonly contents?: Contents;
}

async function buildOne(what: Bundle): Promise<Verdict> {
  try {
    const { warnings, metafile } = await writeBundle(what);
    for (const line of await formatMessages(warnings, { kind: 'warning' })) console.error(line);
    const good = isWithinCeiling(what) && warnings.length === 0;
    return { good, contents: { out: what.out, metafile } };
  } catch (failure) {
    const { errors } = failure as BuildFailure;
    if (errors === undefined) throw failure;
    for (const line of await formatMessages(errors, { kind: 'error' })) console.error(line);
    console.log(`${`dist/${what.out}`.padEnd(24)} not built`);
    return { good: false };
  }
}

function isWithinCeiling(bundle: Bundle): boolean {
  const { out, host, ceiling } = bundle;
  if (host === 'command') chmodSync(join(dist, out), 0o755);
  const { isWithin, line } = sizeReport(out, bundleSize(bundle), { ceiling });
  console.log(`${`dist/${out}`.padEnd(24)} ${line}`);
  return isWithin;
}

if (import.meta.main) process.exitCode = (await buildAll()) === 0 ? 0 : 1;
