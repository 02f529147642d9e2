/** Measures the sizes of shipped files, compares them with ceilings, and records them at each release. */
import { existsSync, globSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateRawSync, gzipSync } from 'node:zlib';
import { root } from '../root.ts';
import { type Bundle, bundles, type Ceiling, database } from './bundles.ts';
import lastRelease from './lastRelease.json' with { type: 'json' };

export interface ReleaseSizes {
  readonly version: string;
  /** The size in KiB by the path of a bundle in `dist/`. `vsix` is the package without the embedded database. */
  readonly kib: Readonly<Record<string, number>>;
}

interface SizeReport {
  readonly isWithin: boolean;
  /** Size, ceiling and growth. Says what to do if the ceiling is exceeded. */
  readonly line: string;
}

/** Growth never fails: only a ceiling does, because it says what a larger size would cost. */
export function sizeReport(
  name: string,
  kib: number,
  { ceiling, before = lastRelease }: { readonly ceiling: Ceiling; readonly before?: ReleaseSizes },
): SizeReport {
  const isWithin = kib <= ceiling.kib;
  const size = `${kib.toFixed(1).padStart(7)} of ${String(ceiling.kib).padStart(4)} KiB`;
  const complaint = isWithin ? '' : `\n  Too large. ${ceiling.reason} See scripts/bundles/bundles.ts.`;
  return { isWithin, line: `${size}  ${growthSince(before, name, kib)}${complaint}` };
}

function growthSince({ version, kib: known }: ReleaseSizes, name: string, kib: number): string {
  const former = known[name];
  if (former === undefined) return `not in ${version}`;
  // Both as they are printed, so that no growth is shown where the sizes look the same.
  const grown = Number(kib.toFixed(1)) - former;
  if (Math.abs(grown) < 0.05) return `as in ${version}`;
  const [by, share] = [grown, (100 * grown) / former].map((value) => withSign(value));
  return `${by} KiB (${share} %) since ${version}`;
}

function withSign(value: number): string {
  return `${value < 0 ? '' : '+'}${value.toFixed(1)}`;
}

/** Returns the size in KiB as the host loads the bundle: a page is compressed and comes with its styles. */
export function bundleSize({ out, host }: Bundle): number {
  const file = join(root, 'dist', out);
  if (host !== 'page') return statSync(file).size / 1024;
  const files = [file, file.replace(/js$/, 'css')].filter((path) => existsSync(path));
  return files.reduce((sum, path) => sum + gzipSync(readFileSync(path)).length, 0) / 1024;
}

/** Returns the size in KiB without the embedded database, whose size we do not decide. */
export function vsixSize(path: string): number {
  const files = globSync(`dist/${database.to}/*`, { cwd: root });
  const compressed = files.map((file) => deflateRawSync(readFileSync(join(root, file))).length);
  return (statSync(path).size - compressed.reduce((sum, size) => sum + size, 0)) / 1024;
}

/** Writes down what has been built, so that growth is measured against it until the next release. */
export function recordRelease(version: string, vsix: number): void {
  const sizes = bundles.map((bundle) => [bundle.out, bundleSize(bundle)] as const);
  const kib = Object.fromEntries(
    [...sizes, ['vsix', vsix] as const].map(([name, size]) => [name, Number(size.toFixed(1))]),
  );
  const path = join(root, 'scripts/bundles/lastRelease.json');
  writeFileSync(path, `${JSON.stringify({ version, kib } satisfies ReleaseSizes, undefined, 2)}\n`);
}
