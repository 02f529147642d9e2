/** Runs scripts in the embedded database, whose process does nothing else until a statement ends. */

import { startAlone } from '../../../ground/unattended.ts';
import type { Clock } from '../../../ground/world.ts';
import type { Answer, LoadScripts } from '../database/protocol.ts';
import { DatabaseEnd } from '../databaseEnd.ts';
import type { StatementPlace } from '../loading/places.ts';
import { FatalStatement, nameOfPlace } from './fatalStatements.ts';

interface LoadControl {
  readonly request: Pick<LoadScripts, 'scripts' | 'includes'>;
  /** Sends the scripts. Calls back when a statement begins. */
  readonly answer: (begun: (place?: StatementPlace) => void) => Promise<Answer>;
  /** Kills the process, because nothing else ends a running statement. Resolves when the process has ended. */
  readonly kill: (reason: string) => Promise<void>;
  readonly clock: Clock;
  /** The time limit of one statement, in milliseconds. */
  readonly longest: number;
}

const looksEvery = 1_000;

/** Runs the scripts. Fails with a {@link FatalStatement} if a statement takes too long or ends the process. */
export async function loadInTime({ request, answer, kill, clock, longest }: LoadControl): Promise<Answer> {
  const settled = new AbortController();
  let current: { readonly place: StatementPlace; readonly since: number } | undefined;
  let endless: StatementPlace | undefined;
  const watch = async (): Promise<void> => {
    while (endless === undefined) {
      await clock.sleep(looksEvery, settled.signal);
      if (settled.signal.aborted) return;
      if (current !== undefined && clock.steady() - current.since > longest) endless = current.place;
    }
    await kill(`it takes longer than ${longest / 1000} s`);
  };
  startAlone('Watching a statement', watch);
  const sentenceFor = (place: StatementPlace, message: string): string =>
    `A statement of the project was not run (${nameOfPlace(place, request)}): ${message}`;
  try {
    return await answer((place) => {
      current = place && { place, since: clock.steady() };
    });
  } catch (error) {
    if (endless !== undefined) {
      const message = `it takes longer than ${longest / 1000} s.`;
      throw new FatalStatement(sentenceFor(endless, message), { ...endless, reason: 'timeout' });
    }
    if (!(error instanceof DatabaseEnd) || current === undefined) throw error;
    const { circumstances } = error;
    const isCertain = circumstances.kind === 'statement';
    const message = isCertain
      ? `it ended the database, because ${circumstances.reason}.`
      : `the process of the database ended twice while it ran (${circumstances.exit}).`;
    const place = { ...current.place, reason: 'ended', message } as const;
    throw new FatalStatement(sentenceFor(place, message), place, isCertain);
  } finally {
    settled.abort();
  }
}
