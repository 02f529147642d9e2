/**
 * Limits how long diagnostics wait for the source. They are needed most when something is wrong, so a silent source must not
 * prevent an answer.
 */
import type { Clock } from '../ground/world.ts';

/** Rejects with a `SourceSilence` when the time limit has passed. */
export type InTime = <Answer>(asked: Promise<Answer>) => Promise<Answer>;

/** The time limit in milliseconds, which is shorter than the timeouts of clients. */
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
  // Prevents an unhandled rejection, because normally nothing is waiting for this promise any more.
  silence.catch(() => {});
  try {
    return await work((asked) => Promise.race([asked, silence]));
  } finally {
    over.abort();
  }
}
