/** Prints one line for each part of a run: a check, a suite, or a file of tests. */
import type { RunResult } from './command.ts';
import { add, format, nothing, type Tally } from './tally.ts';

export interface Part {
  readonly name: string;
  readonly tally: Tally;
  readonly seconds: number;
}

export interface PartResult extends Part, RunResult {}

/** Returns a line such as `ok       12.3 s types  1 passed, 0 failed`. */
export function verdictLine({ name, tally, seconds }: Part): string {
  return `${(tally.failed > 0 ? 'FAILED' : 'ok').padEnd(6)} ${duration(seconds)} ${name}  ${format(tally)}`;
}

/** Returns a duration in seconds, padded for alignment. */
export function duration(seconds: number): string {
  return `${seconds.toFixed(1).padStart(6)} s`;
}

/** Prints one line for a part, after its output if it failed. */
export function report(
  part: Part & { readonly output: string },
  print = (line: string) => console.log(line),
): void {
  if (part.tally.failed > 0 && part.output !== '') print(part.output.trim());
  print(verdictLine(part));
}

/** Prints the line of a part as soon as it has ended. */
export async function runAndReport(run: () => Promise<PartResult>): Promise<PartResult> {
  const result = await run();
  report(result);
  return result;
}

/** Prints the total of all parts, and makes the process fail if one of them failed. */
export function conclude(parts: readonly Pick<Part, 'tally'>[]): void {
  const total = parts.reduce((sum, { tally }) => add(sum, tally), nothing);
  console.log(format(total));
  process.exitCode = total.failed > 0 ? 1 : 0;
}
