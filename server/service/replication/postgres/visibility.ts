/**
 * The log is ahead of what others see: a transaction becomes visible a moment after its commit has been written, or
 * long after if it waits for a standby. Whoever reads a table or a type because of something in the log must wait for
 * that, or reads what was before and takes it for what is now.
 */
import type { Clock } from '../../world.ts';
import type { Queries } from './queries.ts';

export interface Visibility {
  /** A transaction arrives; its id has 32 bits. */
  began(xid: number): void;
  /** The transaction that arrived last is visible, for certain. */
  isKnown(): boolean;
  /** Resolves when all transactions that have arrived are visible. */
  settle(signal: AbortSignal): Promise<void>;
}

/** Older ones have long been visible. */
const MOST_REMEMBERED = 20_000;

const FIRST_PAUSE = 2;
const LONGEST_PAUSE = 200;

export function openVisibility(queries: Queries, clock: Clock): Visibility {
  let unknown: number[] = [];
  return {
    began: (xid) => {
      unknown.push(xid);
      if (unknown.length > MOST_REMEMBERED) unknown = unknown.slice(MOST_REMEMBERED / 2);
    },
    isKnown: () => unknown.length === 0,
    settle: async (signal) => {
      for (let pause = FIRST_PAUSE; unknown.length > 0 && !signal.aborted; ) {
        const asked = unknown.length;
        const { text } = await queries.one<{ readonly text: string }>(
          'SELECT txid_current_snapshot()::text AS text',
        );
        const hidden = unknown.slice(0, asked).filter(isHidden(text));
        unknown = [...hidden, ...unknown.slice(asked)];
        if (hidden.length === 0) return;
        await clock.sleep(pause, signal);
        pause = Math.min(2 * pause, LONGEST_PAUSE);
      }
    },
  };
}

/** Of a snapshot like `740:751:745,749`: all from the second number on, and those of the list, were not finished. */
export function isHidden(snapshot: string): (xid: number) => boolean {
  const [, next = '0', running = ''] = snapshot.split(':');
  const hidden = new Set(running === '' ? [] : running.split(',').map(low32));
  const end = low32(next);
  // Ids wrap around: the later one is at most half of all ids ahead.
  return (xid) => hidden.has(xid) || ((xid - end) | 0) >= 0;
}

function low32(id: string): number {
  return Number(BigInt.asUintN(32, BigInt(id)));
}
