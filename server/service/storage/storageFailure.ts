import { ServiceError } from '../ground/errors.ts';

export type StorageFailureKind =
  /** Another process has it. */
  | 'in-use'
  /** Written by a newer version. */
  | 'newer'
  | 'not-writable'
  | 'full'
  | 'corrupt'
  /** A row is not what was written. The others are. */
  | 'damaged'
  | 'unreachable'
  /** Another process writes for this deployment now. */
  | 'lost'
  | 'closed'
  | 'other';

/** What keeps a storage from doing its work, in a sentence that is safe to show. */
export class StorageFailure extends Error {
  readonly kind: StorageFailureKind;

  constructor(kind: StorageFailureKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }

  /** The error for a request that meets it: see `toKnownError`. */
  get answer(): ServiceError | undefined {
    if (this.kind !== 'damaged') return undefined;
    return new ServiceError('SVC_S2403', 'Everything is copied again. Try again later.', { cause: this });
  }
}

export function lostRight(deployment: number): StorageFailure {
  const sentence = `The right to write for deployment ${deployment} was given back, or another process has it now.`;
  return new StorageFailure('lost', sentence);
}

/** @param what the sentence names */
export function damagedRow(what: string): StorageFailure {
  return new StorageFailure(
    'damaged',
    `[SVC_S2403] What is stored of ${what} is not what was written: the disk or the memory has changed it. It is not used; the service copies everything again from the source.`,
  );
}
