/** Announces published checkpoints, and the changes that they contain. */

import { createListeners } from '../ground/listeners.ts';
import type { Log } from '../ground/log.ts';
import type { ChangedParts, Notice, RowWrite } from './storage.ts';

export interface Notices {
  watch(listener: (notice: Notice) => void): () => void;
  send(notice: Notice): void;
}

export function createNotices(log: Log): Notices {
  const listeners = createListeners<Notice>();
  return {
    watch: (listener) => listeners.watch((notice) => tell(listener, notice, log)),
    send: listeners.call,
  };
}

/** Calls a listener. A failure is only logged, because the commit has already happened and other listeners must also be called. */
function tell(call: (notice: Notice) => void, notice: Notice, log: Log): void {
  try {
    call(notice);
  } catch (error) {
    log.write('error', 'Could not announce a change', { error: String(error) });
  }
}

/** The maximum number of parts that are announced individually. If there are more, every client evaluates its request again. */
const manyParts = 20_000;

interface ChangeRecord {
  /** Adds the rows. Call it after they are durable. */
  add(rows: readonly RowWrite[]): void;
  /** Returns the changes since {@link begin}, or undefined if they are unknown. */
  parts(): ChangedParts | undefined;
  /** Starts to record changes. */
  begin(): void;
}

/** Records changes. A new writer does not know the earlier ones. */
export function recordChanges(): ChangeRecord {
  let known = false;
  let buckets = new Set<string>();
  let lookups = new Set<string>();
  const start = (isKnown: boolean) => {
    known = isKnown;
    buckets = new Set();
    lookups = new Set();
  };
  return {
    add: (rows) => {
      if (!known) return;
      for (const row of rows) {
        for (const { bucket } of row.ops) buckets.add(bucket);
        for (const { lookup } of row.lookups) lookups.add(lookup);
      }
      if (buckets.size + lookups.size > manyParts) start(false);
    },
    parts: () => (known ? { buckets, lookups } : undefined),
    begin: () => start(true),
  };
}
