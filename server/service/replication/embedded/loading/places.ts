/** The places of statements in scripts, and the statements that the database does not survive. */

export interface StatementPlace {
  readonly script: string;
  /** The offset in the script, or one of {@link otherPlaces}. */
  readonly start: number;
}

/** A statement that the database did not survive, because it took too long or ended the process. */
export interface FatalPlace extends StatementPlace {
  readonly reason: 'timeout' | 'ended';
  /** The reason why it ended the process, as a sentence. */
  readonly message?: string;
}

/**
 * Places without an offset. `rows`: several rows that are inserted together. `end`: the end of a script, when its deferred
 * constraints and triggers run. If the database does not survive one of these, it is not known yet which statement is the cause.
 */
export const otherPlaces = { rows: -1, end: -2 } as const;

export function isStatement({ start }: StatementPlace): boolean {
  return start >= 0;
}
