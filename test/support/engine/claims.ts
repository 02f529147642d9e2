/** Claims for a search for counterexamples, and a limit for the search. */
import type { AlwaysClaim } from '../../../server/engine/tests/testFile.ts';

export function claimOf(table: string, holds: string): AlwaysClaim {
  const placed = (value: string) => ({ value, span: { start: 0, end: 0 } });
  return { name: placed('it'), table: placed(table), holds: placed(holds) };
}

/** Limits the work instead of the time, so that the verdicts are the same on every machine. */
export function stopAfter(mostLooks: number): { readonly isTimeUp: () => boolean } {
  let looks = 0;
  return { isTimeUp: () => looks++ > mostLooks };
}
