/**
 * SQLite's log, which a thread makes durable. COMMIT with `synchronous = FULL` would block the event loop meanwhile, for a tenth of
 * a second if other programs write to the disk.
 */
import { closeSync, fdatasync, openSync } from 'node:fs';
import { promisify } from 'node:util';
import type { StorageFailure } from '../storageFailure.ts';

const writeToDisk = promisify(fdatasync);

export interface LogFile {
  /** Resolves when everything that is written to the file is on the disk. */
  flush(): Promise<void>;
  close(): void;
}

export function openLogFile(path: string): LogFile {
  // The file does not exist before the first transaction.
  let handle: number | undefined;
  return {
    flush: async () => {
      handle ??= openSync(path, 'r+');
      await writeToDisk(handle);
    },
    close: () => {
      if (handle !== undefined) closeSync(handle);
      handle = undefined;
    },
  };
}

/**
 * Makes committed data durable.
 *
 * 1. After a flush has failed, no other one succeeds. The system would take the data as written, and the second flush would lose
 *    it without an error: https://lwn.net/Articles/752063/
 */
export class DurableLog {
  readonly #file: LogFile;
  readonly #onFailure: (error: unknown) => StorageFailure;
  #failure: StorageFailure | undefined;

  /** @param onFailure called once, and returns the failure to throw from then on */
  constructor(file: LogFile, onFailure: (error: unknown) => StorageFailure) {
    this.#file = file;
    this.#onFailure = onFailure;
  }

  /** Throws if a flush has failed. */
  demand(): void {
    if (this.#failure !== undefined) throw this.#failure;
  }

  async flush(): Promise<void> {
    this.demand();
    try {
      await this.#file.flush();
    } catch (error) {
      this.#failure = this.#onFailure(error);
      throw this.#failure;
    }
  }

  /** Must be called before the database is closed, because Windows cannot delete an open file. */
  close(): void {
    this.#file.close();
  }
}
