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
  const answer = await ask().catch((error: unknown) => {
    if (!isFailure(error, 'cancelled')) void poller.askNow();
    throw error;
  });
  const took = now() - askedAt;
  const diagnosis = readDiagnosis(answer.value, answer.at);
  // The console neither waits for further questions of the editor, nor fails with them.
  if (diagnosis !== undefined)
    void learnMore(diagnosis).then(
      () => poller.learn(diagnosis, took),
      () => poller.askNow(),
    );
  return answer;
}
