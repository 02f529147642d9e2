/**
 * The current process of the embedded database.
 *
 * 1. At most one process starts or runs, and all calls get it.
 * 2. A process that has ended, or could not start, is forgotten. The next call starts another one.
 * 3. While the database is being emptied, calls wait for the new one.
 * 4. Nothing starts after the database was closed.
 */
import { SourceFailure } from '../source.ts';
import type { DatabaseProcess } from './child.ts';

export class CurrentProcess {
  readonly #start: (closing: AbortSignal) => Promise<DatabaseProcess>;
  readonly #closing = new AbortController();
  #opening: Promise<DatabaseProcess> | undefined;
  /** Present when {@link #opening} has succeeded. */
  #running: DatabaseProcess | undefined;
  /** Present until the old database has been removed. */
  #emptying: Promise<void> | undefined;

  constructor(start: (closing: AbortSignal) => Promise<DatabaseProcess>) {
    this.#start = start;
  }

  /** Aborted when the database is closed. */
  get closing(): AbortSignal {
    return this.#closing.signal;
  }

  /** The process, or undefined while none runs or while it is starting. */
  get running(): DatabaseProcess | undefined {
    return this.#running;
  }

  async open(): Promise<DatabaseProcess> {
    await this.#emptying;
    if (this.closing.aborted)
      throw new SourceFailure('closed', 'SVC_S1101', 'The embedded database is closed.');
    if (this.#opening !== undefined) return this.#opening;
    const opening = this.#run();
    const forget = (): void => {
      if (this.#opening !== opening) return;
      this.#opening = undefined;
      this.#running = undefined;
    };
    this.#opening = opening;
    opening.then(({ ended }) => ended.then(forget), forget);
    return opening;
  }

  /** Stops the process, and opens the database again. @param onGone called in between, to remove the old content */
  async empty(onGone: () => Promise<void>): Promise<void> {
    const emptied = this.#stop('reset').then(onGone);
    this.#emptying = emptied.catch(() => undefined);
    await emptied.finally(() => {
      this.#emptying = undefined;
    });
    await this.open();
  }

  /** Closes the database if it is still starting. */
  async abandon(): Promise<void> {
    if (this.#running === undefined && this.#opening !== undefined) await this.close();
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#stop();
  }

  async #run(): Promise<DatabaseProcess> {
    this.#running = await this.#start(this.closing);
    return this.#running;
  }

  #stop: DatabaseProcess['stop'] = async (reason) => {
    const running = await this.#opening?.catch(() => undefined);
    await running?.stop(reason);
  };
}
