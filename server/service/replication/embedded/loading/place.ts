/** Where a statement is in the scripts of a project. */
export interface StatementPlace {
  readonly script: string;
  readonly start: number;
}

/** A statement that the database did not survive: it took too long, or ended the process. */
export interface FatalPlace extends StatementPlace {
  readonly reason: 'timeout' | 'ended';
  /** Of one that ended the process: why, in a sentence. */
  readonly message?: string;
}
