/**
 * Tracks which transactions are visible. The log is ahead of the visible state: a transaction becomes visible a moment after its
 * commit has been written, or much later if it waits for a standby. Code that reads a table or a type because of an event in the
 * log must wait for that. Otherwise, it could read the state before the event.
 */
import { type Backoff, backoffAfter } from '../../../ground/backoff.ts';
import type { Clock } from '../../../ground/world.ts';
import type { Queries } from '../queries.ts';
import type { WaitReporter } from './waiting.ts';

export interface Visibility {
  /** Reports that a transaction has arrived. Its id has 32 bits. */
  began(xid: number): void;
  /** Whether the transaction that arrived last is certainly visible. */
  isKnown(): boolean;
  /** Resolves when all transactions that have arrived are visible. */
  settle(signal: AbortSignal): Promise<void>;
  /** Resolves when everything in a snapshot is visible to new statements. */
  reach(snapshot: string, signal: AbortSignal): Promise<void>;
}

/** The maximum number of remembered transactions. Older ones have been visible for a long time. */
const mostRemembered = 20_000;

const betweenLooks: Backoff = { first: 2, longest: 200 };

/** The reason in nearly all cases. */
const likelyReason =
  'Transactions that the source has committed are not visible there yet. They are most likely waiting for a standby that is not connected: see synchronous_standby_names in the source, and the sessions in pg_stat_activity whose wait_event is SyncRep.';

export function openVisibility(queries: Queries, clock: Clock, waiting: WaitReporter): Visibility {
  let unknown: number[] = [];
  const snapshot = async () => (await queries.one<{ readonly text: string }>(snapshotQuery)).text;
  const isSettled = async (): Promise<boolean> => {
    const asked = unknown.length;
    if (asked === 0) return true;
    const text = await snapshot();
    const hidden = unknown.slice(0, asked).filter(isHidden(text));
    unknown = [...hidden, ...unknown.slice(asked)];
    return hidden.length === 0;
  };
  return {
    began: (xid) => {
      unknown.push(xid);
      if (unknown.length > mostRemembered) unknown = unknown.slice(mostRemembered / 2);
    },
    isKnown: () => unknown.length === 0,
    settle: (signal) => waiting(likelyReason, repeat(isSettled, signal, clock)),
    reach: (seen, signal) =>
      waiting(
        likelyReason,
        repeat(async () => seesAll(await snapshot(), seen), signal, clock),
      ),
  };
}

/** Repeats a step until it returns true. */
async function repeat(step: () => Promise<boolean>, signal: AbortSignal, clock: Clock): Promise<void> {
  for (let attempts = 1; !signal.aborted; attempts += 1) {
    if (await step()) return;
    await clock.sleep(backoffAfter(attempts, betweenLooks), signal);
  }
}

export const snapshotQuery = 'SELECT txid_current_snapshot()::text AS text';

/** Whether one snapshot contains all transactions of another one. */
export function seesAll(snapshot: string, other: string): boolean {
  const seen = partsOf(other);
  const { end, running } = partsOf(snapshot);
  const isSeen = (xid: bigint) => xid < seen.end && !seen.running.has(xid);
  if ([...running].some(isSeen)) return false;
  for (let xid = end; xid < seen.end; xid += 1n) if (isSeen(xid)) return false;
  return true;
}

function partsOf(snapshot: string): { readonly end: bigint; readonly running: ReadonlySet<bigint> } {
  const [, end = '0', running = ''] = snapshot.split(':');
  return { end: BigInt(end), running: new Set(running === '' ? [] : running.split(',').map(BigInt)) };
}

/**
 * Returns whether a transaction is hidden in a snapshot such as `740:751:745,749`. All transactions from the second number on,
 * and those in the list, had not finished.
 */
export function isHidden(snapshot: string): (xid: number) => boolean {
  const { end, running } = partsOf(snapshot);
  const hidden = new Set([...running].map(low32));
  const next = low32(end);
  // Ids wrap around, so a later id is at most half of all ids ahead.
  return (xid) => hidden.has(xid) || ((xid - next) | 0) >= 0;
}

function low32(id: bigint): number {
  return Number(BigInt.asUintN(32, id));
}
