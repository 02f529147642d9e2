/** The results of a file's tests. A file whose results were lost has not passed. */
import type { TestState } from 'vitest/node';
import type { Tally } from './tally.ts';

export interface Results extends Tally {
  /** Tests that have not ended, or whose end was not reported. */
  readonly unknown: number;
}

export function countResults(states: readonly TestState[]): Results {
  const count = (wanted: TestState) => states.filter((state) => state === wanted).length;
  return {
    passed: count('passed'),
    failed: count('failed'),
    skipped: count('skipped'),
    unknown: count('pending'),
  };
}

/** Describes the missing results of a file that has ended without an error. */
export function describeLoss({ passed, failed, skipped, unknown }: Results): string | undefined {
  if (unknown > 0) return `The file ended without the results of ${unknown} of its tests.`;
  return passed + failed + skipped === 0 ? 'The file ended, but none of its tests was reported.' : undefined;
}
