/**
 * Serving processes of one service, on one machine: `--workers N`. One process, the primary, replicates and answers admins;
 * each worker serves clients, reads the storage itself, and hears from the primary what is published. They talk over the
 * channel that Node gives a process and its child.
 */

/** A connection to another process, which keeps the order of messages. */
export interface ProcessChannel {
  /** Sends any value that Node's structured clone can copy. A message to a process that has ended is lost. */
  readonly send: (message: unknown) => void;
  /** One listener. */
  readonly listen: (listener: (message: unknown) => void) => void;
}

/** A worker, as the process that has started it sees it. */
export interface WorkerProcess {
  readonly channel: ProcessChannel;
  readonly pid: number | undefined;
  /** Ends the process at once. */
  readonly kill: () => void;
  /** Resolves when it is gone, with how it ended: `exit code 1`, `SIGKILL`. */
  readonly ended: Promise<string>;
}

export type StartWorker = () => WorkerProcess;
