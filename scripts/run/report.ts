/** One line for each part of a run: a check, a suite, a file of tests. */
import type { RunResult } from './command.ts';
import { format, type Tally } from './tally.ts';

export interface Part {
  readonly name: string;
  readonly tally: Tally;
  readonly seconds: number;
}

export interface PartResult extends Part, RunResult {}

/** For example: `ok       12.3 s types  1 passed, 0 failed`. */
export function verdictLine({ name, tally, seconds }: Part): string {
  return `${(tally.failed > 0 ? 'FAILED' : 'ok').padEnd(6)} ${duration(seconds)} ${name}  ${format(tally)}`;
}

/** Seconds, aligned with other lines. */
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
