/** The maximum times for which one client may keep the embedded database busy, because all clients share one session. */
export interface DatabaseLimits {
  /** The time limit of a statement, in milliseconds. If a statement takes longer, the database is ended and starts again. */
  readonly statement: number;
  /** The time limit of a statement in the project's scripts, in milliseconds. A statement that takes longer is skipped. */
  readonly script: number;
  /** How long an open transaction may wait for its client, in milliseconds. After that, the connection is closed. */
  readonly idle: number;
}

export const usualLimits: DatabaseLimits = { statement: 300_000, script: 30_000, idle: 300_000 };
