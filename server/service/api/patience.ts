/**
 * Limits how long diagnostics wait for the source. They are needed most when something is wrong, so a silent source must not
 * prevent an answer.
 */
import type { Clock } from '../ground/world.ts';
import { type SourceProblem, sourcePatience } from '../replication/source.ts';

/** Rejects with a `SourceSilence` when the time limit has passed. */
export type InTime = <Answer>(asked: Promise<Answer>) => Promise<Answer>;

export class SourceSilence extends Error {
  readonly problem: SourceProblem;

  constructor() {
    const message = `The source has not answered for ${sourcePatience / 1000} s. A database that is just being started may need longer.`;
    super(message);
    this.problem = { level: 'warning', kind: 'silence', message };
  }
}

/** Runs work with one time limit for all of its questions. */
export async function withPatience<Result>(
  clock: Clock,
  work: (inTime: InTime) => Promise<Result>,
): Promise<Result> {
  const over = new AbortController();
  const silence = clock.sleep(sourcePatience, over.signal).then(() => Promise.reject(new SourceSilence()));
  // Prevents an unhandled rejection, because normally nothing is waiting for this promise any more.
  silence.catch(() => {});
  try {
    return await work((asked) => Promise.race([asked, silence]));
  } finally {
    over.abort();
  }
}
