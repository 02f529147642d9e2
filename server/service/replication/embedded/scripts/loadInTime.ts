/** Scripts in the embedded database, whose process does nothing else until a statement ends. */

import { startAlone } from '../../../ground/unattended.ts';
import type { Clock } from '../../../ground/world.ts';
import type { Answer, StatementPlace } from '../database/protocol.ts';

interface LoadControl {
  /** Calls back when a statement begins. */
  readonly answer: (begun: (place?: StatementPlace) => void) => Promise<Answer>;
  /** Nothing else ends a statement that runs. Resolves when the process has ended. */
  readonly kill: () => Promise<void>;
  readonly clock: Clock;
  /** In milliseconds, for one statement. */
  readonly longest: number;
}

/** A statement that took too long; the process has ended with it. */
export class EndlessStatement extends Error {
  readonly place: StatementPlace;

  constructor(place: StatementPlace, longest: number) {
    super(`A statement of ${place.script} takes longer than ${longest / 1000} s.`);
    this.place = place;
  }
}

/** In milliseconds, for one statement of the scripts that make tables. */
export const longestStatement = 30_000;
const looksEvery = 1_000;

export async function loadInTime({ answer, kill, clock, longest }: LoadControl): Promise<Answer> {
  const settled = new AbortController();
  let current: { readonly place: StatementPlace; readonly since: number } | undefined;
  let endless: StatementPlace | undefined;
  const watch = async (): Promise<void> => {
    while (endless === undefined) {
      await clock.sleep(looksEvery, settled.signal);
      if (settled.signal.aborted) return;
      if (current !== undefined && clock.now() - current.since > longest) endless = current.place;
    }
    await kill();
  };
  startAlone('Watching a statement', watch);
  try {
    return await answer((place) => {
      current = place && { place, since: clock.now() };
    });
  } catch (error) {
    throw endless === undefined ? error : new EndlessStatement(endless, longest);
  } finally {
    settled.abort();
  }
}
