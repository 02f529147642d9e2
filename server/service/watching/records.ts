/**
 * Passes changes in the records of deployments to the timeline, and tracks the last operation that clients may have. The records
 * are read after each change, not at intervals.
 */
import { createListeners } from '../ground/listeners.ts';
import { callSafely, startAlone } from '../ground/unattended.ts';
import type { Clock } from '../ground/world.ts';
import { type Deployment, servingOf } from '../storage/deployment.ts';
import type { Storage } from '../storage/storage.ts';
import { deploymentNews, type MeaningOf } from './deploymentNews.ts';
import type { EventLog } from './eventLog.ts';

interface RecordParts {
  readonly storage: Pick<Storage, 'deployments' | 'watch' | 'reader'>;
  readonly meaningOf: MeaningOf;
  readonly timeline: Pick<EventLog, 'add'>;
  readonly clock: Clock;
}

interface RecordWatch {
  /** Called when this process may have changed the records. */
  readonly wake: () => void;
  /** Returns the last operation that clients may have, or undefined if there is none. */
  readonly head: () => number | undefined;
  /** Adds a listener, which is called soon after the head has changed. Several changes may lead to one call. */
  readonly watchHead: (listener: () => void) => () => void;
  /** Runs until aborted. */
  readonly run: (signal: AbortSignal) => Promise<void>;
}

/** Pauses in milliseconds: between two calls for a new head, and after records could not be read. */
const pauses = { head: 40, failure: 1_000 };

const announcing = 'Announcing checkpoints';

export function openRecordWatch({ storage, meaningOf, timeline, clock }: RecordParts): RecordWatch {
  const heads = createListeners();
  let records: readonly Deployment[] | undefined;
  let head: number | undefined;
  let alarm = new AbortController();
  const wake = (): void => alarm.abort();
  const read = async (): Promise<void> => {
    const now = await storage.deployments.all();
    if (records !== undefined) for (const news of deploymentNews(records, now, meaningOf)) timeline.add(news);
    records = now;
    const serving = servingOf(now);
    const before = head;
    const stored = serving && (await storage.reader(serving.id).checkpoint());
    // A position that was published meanwhile is newer than the stored one.
    if (head === before) head = stored?.opId;
  };
  /** Returns a function that calls the listeners, immediately for the first change. */
  const callForHeads = (signal: AbortSignal): (() => void) => {
    let state: 'idle' | 'pausing' | 'more' = 'idle';
    const call = async (): Promise<void> => {
      if (state !== 'idle') {
        state = 'more';
        return;
      }
      do {
        state = 'pausing';
        callSafely(announcing, heads.call);
        await clock.sleep(pauses.head, signal);
      } while ((state as string) === 'more' && !signal.aborted);
      state = 'idle';
    };
    return () => startAlone(announcing, call);
  };

  return {
    wake,
    head: () => head,
    watchHead: heads.watch,
    run: async (signal) => {
      const callForHead = callForHeads(signal);
      const stops = [
        storage.watch(({ checkpoint, activated }) => {
          head = checkpoint.opId;
          if (activated) wake();
          callForHead();
        }),
        storage.deployments.watch(wake),
      ];
      signal.addEventListener('abort', wake, { once: true });
      while (!signal.aborted) {
        alarm = new AbortController();
        const pause = await read().then(
          () => Number.POSITIVE_INFINITY,
          () => pauses.failure,
        );
        await clock.sleep(pause, alarm.signal);
      }
      for (const stop of stops) stop();
    },
  };
}
