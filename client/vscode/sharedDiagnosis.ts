/** Passes each diagnosis that the console gets to the rest of the editor, so that both always show the same state. */
import { type Diagnosis, readDiagnosis } from '../api/answers.ts';
import { isFailure } from '../api/failure.ts';
import type { Poller } from '../health/poller.ts';

/** An answer that the caller reads itself. */
export interface RawAnswer {
  readonly value: unknown;
  /** The time on the clock of the service. */
  readonly at: number;
}

interface Sharing {
  readonly poller: Pick<Poller, 'learn' | 'askNow'>;
  /** Asks for all that the editor wants to know about a new diagnosis. */
  readonly learnMore: (diagnosis: Diagnosis) => Promise<void>;
  readonly now: () => number;
}

export async function shareDiagnosis(
  ask: () => Promise<RawAnswer>,
  { poller, learnMore, now }: Sharing,
): Promise<RawAnswer> {
  const askedAt = now();
  try {
    const answer = await ask();
    const took = now() - askedAt;
    const diagnosis = readDiagnosis(answer.value, answer.at);
    if (diagnosis !== undefined) {
      await learnMore(diagnosis);
      poller.learn(diagnosis, took);
    }
    return answer;
  } catch (error) {
    if (!isFailure(error, 'cancelled')) void poller.askNow();
    throw error;
  }
}
