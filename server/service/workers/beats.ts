/** Whether the other process still runs: it says so each second, and whatever else it says counts as well. */

import { repeat, startAlone } from '../ground/unattended.ts';
import type { Clock } from '../ground/world.ts';

/** The interval of beats, in milliseconds. */
const every = 1_000;

interface BeatParts {
  readonly beat: () => void;
  /** Called with each second, with the seconds since the last sign. */
  readonly onSilence: (seconds: number) => void;
}

/** Counts seconds in which this process ran itself: else it could not hear either. Returns what takes a sign. */
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
