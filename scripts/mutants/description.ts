/** Describes a mutant: its place, and the change as a diff. */
import type { Mutant } from './mutants.ts';

/** The maximum number of unchanged characters to show on each side of the change. */
const mostCommon = 60;

export function placeOf({ file, line }: Mutant): string {
  return `${file}:${line}`;
}

export function describeMutant(mutant: Mutant): string {
  const [before, after] = [mutant.before, mutant.after].map((text) => text.replaceAll(/\s+/g, ' '));
  const lines = mutant.isStatement ? [`- ${before}`] : differenceOf(before ?? '', after ?? '');
  return [`${placeOf(mutant)} ${mutant.operator}`, ...lines.map((line) => `  ${line}`)].join('\n');
}

function differenceOf(before: string, after: string): readonly string[] {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < most - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  const from = Math.max(0, start - mostCommon);
  const left = Math.max(0, end - mostCommon);
  const shorten = (text: string): string =>
    `${from > 0 ? '…' : ''}${text.slice(from, text.length - left)}${left > 0 ? '…' : ''}`;
  return [`- ${shorten(before)}`, `+ ${shorten(after)}`];
}
