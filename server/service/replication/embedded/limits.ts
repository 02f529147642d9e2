/** The times for which one client may keep the embedded database busy, because all clients share one session. */
export interface DatabaseLimits {
  /** Milliseconds that a statement may take. The database is ended with a statement that takes longer, and starts again. */
  readonly statement: number;
  /** Milliseconds that a statement of the project's scripts may take. A statement that takes longer is left out. */
  readonly script: number;
  /** Milliseconds that an open transaction may wait for its client. Then the connection is closed. */
  readonly idle: number;
}

export const usualLimits: DatabaseLimits = { statement: 300_000, script: 30_000, idle: 300_000 };
