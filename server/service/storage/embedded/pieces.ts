/** Work that takes long. It is done in short pieces, and what can wait in the time that others leave. */
import { openTurns } from '../../../shared/turns.ts';

export interface Pieces {
  /** Reads until there is nothing left or the time is over; one step at least. */
  read<T>(work: (isOver: () => boolean) => T): Promise<T>;
  /** Runs one transaction, however long it takes. */
  transaction<T>(work: () => T): Promise<T>;
  /** Repeats a step until it returns false or the signal is aborted: as many in a transaction as there is time for. */
  repeat(step: () => boolean, signal?: AbortSignal): Promise<void>;
}

export interface PiecesParts {
  /** Returns the time in milliseconds. */
  readonly now: () => number;
  /** Resolves after so many milliseconds; the process does not end before. */
  readonly pause: (ms: number) => Promise<void>;
  readonly yieldTurn: () => Promise<void>;
  /** When somebody else has used the database. */
  readonly lastUse: () => number;
  readonly read: <T>(work: () => T) => Promise<T>;
  readonly transaction: <T>(work: () => T) => Promise<T>;
  /** Writes SQLite's log back, so that nobody else's transaction has to. */
  readonly writeBack: () => Promise<void>;
}

/** The duration of a piece with everything that it causes, in milliseconds. Others wait at most this long. */
export const pieceTime = 4;
/** If nobody else uses the database for this many milliseconds, assume that nobody is waiting. */
export const quiet = 10;
/** The longest rest between two pieces while others use the database all the time, in milliseconds. */
export const longestRest = 60;
/** Most of the rows that are read are written again, in the same piece. */
const readingTime = pieceTime / 4;
/** On a disk that is slow even for little data, a piece still makes progress. */
const mostOverhead = 4;

export function openPieces(parts: PiecesParts): Pieces {
  const { now, pause, yieldTurn, lastUse } = parts;
  const turns = openTurns();
  /** Milliseconds of the piece: all of them, and those of steps in transactions. */
  let spent = 0;
  let stepping = 0;
  let hasWritten = false;
  /** The ratio of a transaction's duration to that of its steps, because it is committed, and the log is written back. */
  let overhead = 1;

  const timed = async <T>(work: () => Promise<T>): Promise<T> => {
    const start = now();
    try {
      return await work();
    } finally {
      spent += now() - start;
    }
  };
  const rest = async () => {
    const since = now();
    for (;;) {
      await yieldTurn();
      const untilQuiet = lastUse() + quiet - now();
      const left = since + longestRest - now();
      if (untilQuiet <= 0 || left <= 0) return;
      await pause(Math.min(untilQuiet, left));
    }
  };
  /** Ends the piece before if its time is over. Several that are small are one. */
  const begin = async () => {
    await yieldTurn();
    if (spent * 2 < pieceTime) return;
    if (hasWritten) await timed(parts.writeBack);
    if (stepping > 0) overhead = Math.min(mostOverhead, (3 * overhead + spent / stepping) / 4);
    await rest();
    [spent, stepping, hasWritten] = [0, 0, false];
  };
  const write = <T>(work: () => T): Promise<T> => {
    hasWritten = true;
    return timed(() =>
      parts.transaction(() => {
        const start = now();
        const result = work();
        stepping += now() - start;
        return result;
      }),
    );
  };
  const clockFor = (time: number) => {
    const end = now() + time;
    return () => now() >= end;
  };

  return {
    read: (work) =>
      turns.run(async () => {
        await begin();
        return timed(() => parts.read(() => work(clockFor(readingTime))));
      }),
    transaction: (work) =>
      turns.run(async () => {
        await begin();
        return write(work);
      }),
    repeat: async (step, signal) => {
      for (let goesOn = true; goesOn && !signal?.aborted; ) {
        await turns.run(async () => {
          await begin();
          await write(() => {
            const isOver = clockFor((pieceTime - spent) / overhead);
            do goesOn = step();
            while (goesOn && !isOver());
          });
        });
      }
    },
  };
}
