/** Runs a statement of the user on the embedded database, whose process does nothing else until the statement ends. */

import { startAlone } from '../../ground/unattended.ts';
import type { Clock } from '../../ground/world.ts';
import { longestReading } from '../postgres/reading.ts';
import { SourceFailure } from '../source.ts';
import type { Answer } from './database/protocol.ts';

interface Attempt {
  /** Sends the statement. Calls back when its turn has come. */
  readonly answer: (begun: () => void) => Promise<Answer>;
  /** Cancels the statement before its turn. */
  readonly leaveOut: () => void;
  /** Kills the process, because nothing else ends a running statement. Resolves when the process has ended. */
  readonly kill: (reason: string) => Promise<void>;
  readonly clock: Clock;
}

/**
 * Reads within a time limit for both waiting and running. When the signal is aborted, it rejects immediately, and cancels the
 * statement if it has not begun.
 */
export function readInTime(attempt: Attempt, signal: AbortSignal): Promise<Answer> {
  const { answer, leaveOut, kill, clock } = attempt;
  const settled = new AbortController();
  const after = async (act: () => void): Promise<void> => {
    await clock.sleep(longestReading, settled.signal);
    if (!settled.signal.aborted) act();
  };
  let hasBegun = false;
  let killed: Promise<void> | undefined;
  return new Promise<Answer>((resolve, reject) => {
    // A running statement continues to its end or to its time limit, because killing it would also end the connections of others.
    const leave = (): void => {
      if (!hasBegun) leaveOut();
      reject(failure(nobodyWaits));
    };
    const loseTurn = (): void => {
      if (hasBegun) return;
      leaveOut();
      reject(failure(busy));
    };
    const noteBegin = (): void => {
      hasBegun = true;
      startAlone('Ending a statement', () =>
        after(() => {
          killed = kill(`it takes longer than ${longestReading / 1000} s`);
        }),
      );
    };
    if (signal.aborted) return reject(failure(nobodyWaits));
    signal.addEventListener('abort', leave);
    startAlone('Ending a statement', () => after(loseTurn));
    answer(noteBegin)
      .catch(async (error: unknown) => {
        if (killed === undefined) throw error;
        await killed;
        throw failure(tooLong);
      })
      .finally(() => {
        settled.abort();
        signal.removeEventListener('abort', leave);
      })
      .then(resolve, reject);
  });
}

const nobodyWaits = 'The caller no longer waits for the answer.';
const busy = 'The database is busy: another client has a transaction open, or runs a statement.';
const tooLong = `The statement took longer than ${longestReading / 1000} s. The embedded database was ended with it, and starts again when it is needed.`;

function failure(message: string): SourceFailure {
  return new SourceFailure('other', 'SVC_S1120', message);
}
