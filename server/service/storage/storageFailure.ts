/** The reasons why a storage cannot be used, with a sentence for each. */
import { statfs } from 'node:fs/promises';
import { ServiceError, type ServiceErrorCode } from '../ground/errors.ts';

export type StorageFailureKind =
  /** Another process uses the storage. */
  | 'in-use'
  /** The storage was written by a newer version. */
  | 'newer'
  | 'not-writable'
  | 'full'
  | 'corrupt'
  /** A row differs from the one that was written. The other rows are sound. */
  | 'damaged'
  | 'unreachable'
  /** The storage has been unreachable since it was asked to store a change, which may be stored. */
  | 'unsure'
  /** Another process writes for this deployment now. */
  | 'lost'
  | 'closed'
  | 'other';

/** A failure of a storage, with a message that is safe to show. */
export class StorageFailure extends Error {
  readonly kind: StorageFailureKind;

  constructor(kind: StorageFailureKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }

  /** The error for a request that encounters the failure: see `toKnownError`. */
  get answer(): ServiceError {
    const [code, details, status] = answers[this.kind] ?? failed;
    return new ServiceError(code, details, { cause: this, ...(status !== undefined && { status }) });
  }
}

type Answer = readonly [code: ServiceErrorCode, details?: string, status?: number];

/** Users also read these messages, so they contain no address and no path. */
const answers: Partial<Record<StorageFailureKind, Answer>> = {
  full: ['SVC_S2401', 'Its disk is full. Free some space, and try again.'],
  damaged: ['SVC_S2403', 'Everything is copied again. Try again later.'],
  corrupt: ['SVC_S2403', 'Everything is copied again. Try again later.'],
  unreachable: ['SVC_S2402', 'The storage does not answer, or has ended the connection. Try again.'],
  // The status of a gateway that got no answer, because it shows clients that the change may have happened.
  unsure: [
    'SVC_S2402',
    'The storage ended the connection before it confirmed the change, and does not answer. Check whether the change is stored before you try again.',
    504,
  ],
  closed: ['SVC_S2003'],
};

const failed: Answer = ['SVC_S2401', 'The log of the service has details.'];

export function lostRight(deployment: number): StorageFailure {
  const sentence = `The right to write for deployment ${deployment} was released, or another process has it now.`;
  return new StorageFailure('lost', sentence);
}

/** @param what the damaged thing, for the message */
export function damagedRow(what: string): StorageFailure {
  return new StorageFailure(
    'damaged',
    `[SVC_S2403] The storage is corrupt: ${what} differs from what was written. It is not used; the service copies everything again from the source.`,
  );
}

/** The minimum free space in bytes. With less, a change may not fit. */
const leastRoom = 2 ** 20;

export function describeFullDisk(folder: string): string {
  return `The disk with ${folder} is full. Nothing is lost: free some space.`;
}

/**
 * Returns a message if the disk is full, because a process that rarely writes would notice that much later. Returns undefined if
 * it is not full or this is unknown.
 */
export async function findFullDisk(folder: string): Promise<string | undefined> {
  const found = await statfs(folder).catch(() => undefined);
  // Some file systems do not know their size and report 0.
  if (found === undefined || found.blocks === 0) return undefined;
  // The last blocks are reserved for the administrator.
  const free = process.getuid?.() === 0 ? found.bfree : found.bavail;
  return free * found.bsize < leastRoom ? describeFullDisk(folder) : undefined;
}
