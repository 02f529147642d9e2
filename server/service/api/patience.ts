/** Diagnostics are asked for where something is wrong: they answer also while the source is silent. */
import type { Clock } from '../ground/world.ts';

/** Rejects with a `SourceSilence` when the patience is at its end. */
export type InTime = <Answer>(asked: Promise<Answer>) => Promise<Answer>;

/** Less than clients wait for an answer. In milliseconds. */
const patience = 5_000;

export class SourceSilence extends Error {
  constructor() {
    super(
      `The source has not answered for ${patience / 1000} s. A database that is just being started may need longer.`,
    );
  }
}

/** Runs work with one time limit for all of its questions. */
export async function withPatience<Result>(
  clock: Clock,
  work: (inTime: InTime) => Promise<Result>,
): Promise<Result> {
  const over = new AbortController();
  const silence = clock.sleep(patience, over.signal).then(() => Promise.reject(new SourceSilence()));
  // Mostly nobody waits for it any more.
  silence.catch(() => {});
  try {
    return await work((asked) => Promise.race([asked, silence]));
  } finally {
    over.abort();
  }
}
