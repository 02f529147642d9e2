import { appendFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Milliseconds of each round; what `prepare` does is not counted. */
export function timesOf<T>(rounds: number, run: (input: T) => void, prepare: (round: number) => T): number[];
export function timesOf(rounds: number, run: () => void): number[];
export function timesOf<T>(
  rounds: number,
  run: (input: T) => void,
  prepare?: (round: number) => T,
): number[] {
  return Array.from({ length: rounds }, (_, round) => {
    const input = prepare?.(round) as T;
    const start = performance.now();
    run(input);
    return performance.now() - start;
  });
}

export function percentile(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? Number.NaN;
}

export function median(values: readonly number[]): number {
  return percentile(values, 50);
}

export function milliseconds(value: number): string {
  return `${value.toFixed(value < 10 ? 2 : 0)} ms`;
}

/** How often `less` fits into `more`. */
export function ratio(more: number, less: number): string {
  return `${(more / less).toFixed(1)} ×`;
}

/** Twice: buffers that one collection frees count until V8 has swept them, which the next one waits for. */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  collect();
  collect();
}

export interface PrintedTable {
  readonly title: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

export function printTable(
  title: string,
  head: readonly string[],
  rows: readonly (readonly string[])[],
): void {
  // `npm run bench -- all` makes a page of them.
  const file = process.env.HEADWATER_BENCH_TABLES;
  if (file !== undefined) appendFileSync(file, `${JSON.stringify({ title, head, rows })}\n`);
  const all = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...all.map((row) => (row[column] ?? '').length)));
  console.log(`\n${title}`);
  for (const row of all)
    console.log(`  ${row.map((cell, column) => cell.padStart(widths[column] ?? 0)).join('  ')}`);
}
