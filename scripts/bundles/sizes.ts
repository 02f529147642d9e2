/** Measures the sizes of shipped files, compares them with ceilings, and records them at each release. */
import { existsSync, globSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateRawSync, gzipSync } from 'node:zlib';
import { root } from '../root.ts';
import { type Bundle, bundles, type Ceiling, database } from './bundles.ts';
import lastRelease from './lastRelease.json' with { type: 'json' };

export interface ReleaseSizes {
  readonly version: string;
  /** Sizes in KiB by the path of the bundle in `dist/`. `vsix` is the package without the embedded database. */
  readonly kib: Readonly<Record<string, number>>;
}

interface SizeReport {
  readonly isWithin: boolean;
  /** The size, the ceiling and the growth, with advice if the ceiling is exceeded. */
  readonly line: string;
}

/**
 * Reports a size. Growth is not a failure. Only exceeding the ceiling is, because the ceiling states what a larger size would cost.
 */
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
  // Both sizes are rounded as printed, so that no growth is shown if they look the same.
  const grown = Number(kib.toFixed(1)) - former;
  if (Math.abs(grown) < 0.05) return `as in ${version}`;
  const [by, share] = [grown, (100 * grown) / former].map((value) => withSign(value));
  return `${by} KiB (${share} %) since ${version}`;
}

function withSign(value: number): string {
  return `${value < 0 ? '' : '+'}${value.toFixed(1)}`;
}

/** Returns the size in KiB in the form that the host loads. A page is compressed and includes its styles. */
export function bundleSize({ out, host }: Bundle): number {
  const file = join(root, 'dist', out);
  if (host !== 'page') return statSync(file).size / 1024;
  const files = [file, file.replace(/js$/, 'css')].filter((path) => existsSync(path));
  return files.reduce((sum, path) => sum + gzipSync(readFileSync(path)).length, 0) / 1024;
}

/** Returns the size in KiB without the embedded database, whose size is not under our control. */
export function vsixSize(path: string): number {
  const files = globSync(`dist/${database.to}/*`, { cwd: root });
  const compressed = files.map((file) => deflateRawSync(readFileSync(join(root, file))).length);
  return (statSync(path).size - compressed.reduce((sum, size) => sum + size, 0)) / 1024;
}

/** Records the current sizes. Growth is measured against them until the next release. */
export function recordRelease(version: string, vsix: number): void {
  const sizes = bundles.map((bundle) => [bundle.out, bundleSize(bundle)] as const);
  const kib = Object.fromEntries(
    [...sizes, ['vsix', vsix] as const].map(([name, size]) => [name, Number(size.toFixed(1))]),
  );
  const path = join(root, 'scripts/bundles/lastRelease.json');
  writeFileSync(path, `${JSON.stringify({ version, kib } satisfies ReleaseSizes, undefined, 2)}\n`);
}
