/** `npm run build`: every bundle into `dist/`, with its size beside its budget, and the licences of what is in them. */
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type BuildFailure, formatMessages } from 'esbuild';
import { writeBundle } from './bundles/bundle.ts';
import { type Bundle, bundles, consolePage, database } from './bundles/bundles.ts';
import { type Contents, noticesFile, noticesOf, textOf } from './notices.ts';
import { root } from './root.ts';

const dist = join(root, 'dist');

/** How many bundles could not be built, are larger than their budget, or hold what must not be passed on. */
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
  /** Absent where nothing could be built. */
  readonly contents?: Contents;
}

async function buildOne(what: Bundle): Promise<Verdict> {
  try {
    const { warnings, metafile } = await writeBundle(what);
    for (const line of await formatMessages(warnings, { kind: 'warning' })) console.error(line);
    const good = withinBudget(what) && warnings.length === 0;
    return { good, contents: { out: what.out, metafile } };
  } catch (failure) {
    const { errors } = failure as BuildFailure;
    if (errors === undefined) throw failure;
    for (const line of await formatMessages(errors, { kind: 'error' })) console.error(line);
    console.log(`${`dist/${what.out}`.padEnd(24)} not built`);
    return { good: false };
  }
}

function withinBudget({ out, host, budget }: Bundle): boolean {
  const file = join(dist, out);
  if (host === 'command') chmodSync(file, 0o755);
  const size = (host === 'page' ? sizeOfPage(file) : statSync(file).size) / 1024;
  const within = size <= budget;
  const sizes = `${size.toFixed(1).padStart(7)} of ${String(budget).padStart(4)} KiB`;
  console.log(
    `${`dist/${out}`.padEnd(24)} ${sizes}${within ? '' : '  too large: see scripts/bundles/bundles.ts'}`,
  );
  return within;
}

/** As a browser loads it: compressed, with the styles. */
function sizeOfPage(script: string): number {
  const files = [script, script.replace(/js$/, 'css')].filter((file) => existsSync(file));
  return files.reduce((sum, file) => sum + gzipSync(readFileSync(file)).length, 0);
}

if (import.meta.main) process.exitCode = (await buildAll()) === 0 ? 0 : 1;
