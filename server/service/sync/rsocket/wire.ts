/** What a connection is given: the socket that it speaks through, and the sync side of the process. */
import type { User } from '../../http/route.ts';
import type { ServedConfig } from '../buckets.ts';
import type { SyncParts } from '../stream.ts';

/** The parts of a socket that we use. */
export interface Wire {
  /** Resolves when it takes more, or is closed. */
  write(frame: Buffer): Promise<void>;
  /** Sends what still waits, then closes. */
  close(code: number, reason: string): void;
  /** Closes without sending what the client does not take. */
  cutOff(): void;
  /** Reads nothing until `resume`. */
  pause(): void;
  resume(): void;
}

export interface SocketParts extends SyncParts {
  readonly served: () => Promise<ServedConfig | undefined>;
  /** Checks what would be an `Authorization` header. */
  readonly verifyUser: (authorization: string | undefined) => Promise<User>;
}
