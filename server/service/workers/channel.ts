/**
 * Serving processes of one service, on one machine: `--workers N`. One process, the primary, replicates and answers admins. Each
 * worker serves clients and reads the storage itself, and the primary notifies it of published changes. They communicate over the
 * channel that Node opens between a process and its child.
 */

/** A connection to another process, which keeps the order of messages. */
export interface ProcessChannel {
  /** Sends any value that Node's structured clone can copy. A message to a process that has ended is lost. */
  readonly send: (message: unknown) => void;
  /** Sets the only listener. */
  readonly listen: (listener: (message: unknown) => void) => void;
}

/** A worker, from the point of view of the process that started it. */
export interface WorkerProcess {
  readonly channel: ProcessChannel;
  readonly pid: number | undefined;
  /** Ends the process immediately. */
  readonly kill: () => void;
  /** Resolves when the process has ended, with the way in which it ended: `exit code 1`, `SIGKILL`. */
  readonly ended: Promise<string>;
}

export type StartWorker = () => WorkerProcess;
