/** Divides long work into short pieces. Work that can wait runs while no other work uses the database. */
import { openTurns } from '../../../shared/turns.ts';

export interface Pieces {
  /** Reads until nothing is left or the time is over, but at least one step. */
  read<T>(work: (isOver: () => boolean) => T): Promise<T>;
  /** Runs one transaction, regardless of its duration. */
  transaction<T>(work: () => T): Promise<T>;
  /**
   * Repeats a step until it returns false or the signal is aborted. Each transaction contains as many steps as there is time for.
   */
  repeat(step: () => boolean, signal?: AbortSignal): Promise<void>;
}

export interface PiecesParts {
  /** Returns the time in milliseconds. */
  readonly now: () => number;
  /** Resolves after this number of milliseconds. Keeps the process alive. */
  readonly pause: (ms: number) => Promise<void>;
  readonly yieldTurn: () => Promise<void>;
  /** Returns the time at which other work last used the database. */
  readonly lastUse: () => number;
  readonly read: <T>(work: () => T) => Promise<T>;
  readonly transaction: <T>(work: () => T) => Promise<T>;
  /** Writes SQLite's log back, so that no transaction of other work has to do so. */
  readonly writeBack: () => Promise<void>;
}

/** The duration of a piece and of everything that it causes, in milliseconds. Other work waits at most this long. */
export const pieceTime = 4;
/** If nobody else uses the database for this many milliseconds, assume that nobody is waiting. */
export const quiet = 10;
/** The longest pause between two pieces while other work uses the database all the time, in milliseconds. */
export const longestRest = 60;
/** The time for reading in a piece. It is only a part of the piece, because most of the rows that are read are then written. */
const readingTime = pieceTime / 4;
/** The upper limit of `overhead`. Because of it, a piece makes progress even on a disk that is slow for little data. */
const mostOverhead = 4;

export function openPieces(parts: PiecesParts): Pieces {
  const { now, pause, yieldTurn, lastUse } = parts;
  const turns = openTurns();
  /** The duration of the current piece, and of the steps in its transactions, in milliseconds. */
  let spent = 0;
  let stepping = 0;
  let hasWritten = false;
  /**
   * The ratio of a transaction's duration to that of its steps. It is above 1, because of the commit and of writing the log back.
   */
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
  /** Ends the previous piece if its time is over. Several short pieces are combined. */
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
