/**
 * Repeatedly asks the embedded database for a sign of life, for the readiness of the service. A database that has ended starts
 * again with the next question.
 */
import { type Backoff, backoffAfter } from '../../ground/backoff.ts';
import { createListeners } from '../../ground/listeners.ts';
import type { Log } from '../../ground/log.ts';
import { repeat, startAlone } from '../../ground/unattended.ts';
import type { Clock } from '../../ground/world.ts';
import type { SourceLink } from '../source.ts';

interface Heartbeat extends SourceLink {
  /** Begins to ask. Further calls have no effect. */
  begin(): void;
}

interface HeartbeatParts {
  /** Asks the database for a sign of life. */
  readonly ask: () => Promise<unknown>;
  /** Whether the process of the database has given no sign of life. */
  readonly isSilent: () => boolean;
  /** Explains why an answer takes long, in a sentence. */
  readonly explain: () => string;
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
}

/** The interval of beats in milliseconds. */
const beatEvery = 1_000;

/** The number of beats from an answer to the next question. */
const beatsBetween = 2;

/**
 * The number of beats without an answer after which a database with a sign of life counts as lost. It is long, because other
 * clients may have their turns first.
 */
const patience = 10;

/** The number of beats until the next question after failures, because each question starts a process. */
const afterFailures: Backoff = { first: 2, longest: 32 };

export function openHeartbeat({ ask, isSilent, explain, clock, log, signal }: HeartbeatParts): Heartbeat {
  const changed = createListeners();
  let hasBegun = false;
  let isAsked = false;
  let isLost = false;
  /** The number of beats since the question. The time while this process could not run does not count. */
  let missed = 0;
  let failures = 0;
  let pause = beatsBetween - 1;
  const lose = (reason: string): void => {
    if (isLost || signal.aborted) return;
    isLost = true;
    log.write('warn', `The embedded database does not answer, so the service is not ready. ${reason}`);
    changed.call();
  };
  const find = (): void => {
    if (!isLost || signal.aborted) return;
    isLost = false;
    log.write('info', 'The embedded database answers again.');
    changed.call();
  };
  const question = async (): Promise<void> => {
    isAsked = true;
    missed = 0;
    try {
      await ask();
      failures = 0;
      pause = beatsBetween - 1;
      find();
    } catch (error) {
      failures += 1;
      pause = backoffAfter(failures, afterFailures) - 1;
      lose((error as Error).message);
    } finally {
      isAsked = false;
    }
  };
  const beat = (): void => {
    if (isAsked) missed += 1;
    else if (pause > 0) pause -= 1;
    else startAlone('Asking the embedded database', question);
    if (missed >= patience || isSilent()) lose(explain());
  };
  return {
    begin() {
      if (hasBegun) return;
      hasBegun = true;
      startAlone('Watching the embedded database', () =>
        repeat('Watching the embedded database', { every: beatEvery, clock, signal }, beat),
      );
    },
    isLost: () => isLost,
    watch: changed.watch,
  };
}
