/**
 * Checks whether the other process is still running. It sends a beat each second, and each of its messages also counts as a sign.
 */

import { repeat, startAlone } from '../ground/unattended.ts';
import type { Clock } from '../ground/world.ts';

/** The interval of beats, in milliseconds. */
const every = 1_000;

interface BeatParts {
  readonly beat: () => void;
  /** Called each second, with the number of seconds since the last sign. */
  readonly onSilence: (seconds: number) => void;
}

/**
 * Counts only seconds in which this process itself was running, because it cannot hear otherwise. Returns the function to call at
 * each sign.
 */
export function keepBeating(
  { beat, onSilence }: BeatParts,
  clock: Pick<Clock, 'sleep'>,
  signal: AbortSignal,
): () => void {
  let silent = 0;
  startAlone('Signs of life between processes', () =>
    repeat('Signs of life between processes', { every, clock, signal }, () => {
      beat();
      onSilence(silent);
      silent += 1;
    }),
  );
  return () => {
    silent = 0;
  };
}
