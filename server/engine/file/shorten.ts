/** Shortens a list of findings so that it stays readable. All commands, services and editors use this function. */
import type { Severity } from '../diagnostics/diagnostics.ts';

/**
 * The maximum number of findings of one file that a command or service reports. A file with more problems is probably the wrong
 * file.
 */
const mostListed = 1_000;

interface Sentence {
  readonly severity: Severity;
  readonly message: string;
}

const ranks: Readonly<Record<Severity, number>> = { error: 0, warning: 1, hint: 2 };

/**
 * Returns the findings in reading order. If there are too many, only the most severe ones are kept, and the last message reports
 * how many are missing.
 */
export function shorten<T extends Sentence>(found: readonly T[], most: number = mostListed): readonly T[] {
  const worst = worstOf(found, ({ severity }) => ranks[severity], most);
  const left = found.length - worst.length;
  return left === 0 ? found : mentionLeft(worst, left);
}

export function worstOf<T>(found: readonly T[], rankOf: (one: T) => number, most: number): readonly T[] {
  if (found.length <= most) return found;
  return found
    .map((one, index) => ({ one, index, rank: rankOf(one) }))
    .sort((a, b) => a.rank - b.rank || a.index - b.index)
    .slice(0, most)
    .sort((a, b) => a.index - b.index)
    .map(({ one }) => one);
}

export function mentionLeft<T extends { readonly message: string }>(
  shown: readonly T[],
  left: number,
): readonly T[] {
  return shown.map((one, index) =>
    index < shown.length - 1 ? one : { ...one, message: `${one.message} (${left} more are not shown.)` },
  );
}
