/** The parts that a connection uses: its socket, and the sync side of the process. */
import type { User } from '../../http/route.ts';
import type { ServedConfig } from '../buckets.ts';
import type { SyncParts } from '../stream.ts';

/** The functions of a socket that a connection uses. */
export interface Wire {
  /** Resolves when the socket accepts more or is closed. */
  write(frame: Buffer): Promise<void>;
  /** Sends the remaining bytes, then closes. */
  close(code: number, reason: string): void;
  /** Closes without sending the remaining bytes. */
  cutOff(): void;
  /** Stops reading until `resume` is called. */
  pause(): void;
  resume(): void;
}

export interface SocketParts extends SyncParts {
  readonly served: () => Promise<ServedConfig | undefined>;
  /** Checks a token in the form of an `Authorization` header. */
  readonly verifyUser: (authorization: string | undefined) => Promise<User>;
}
