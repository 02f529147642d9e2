export type StorageFailureKind =
  /** Another process has it. */
  | 'in-use'
  /** Written by a newer version. */
  | 'newer'
  | 'not-writable'
  | 'full'
  | 'corrupt'
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
}

export function lostRight(deployment: number): StorageFailure {
  const sentence = `The right to write for deployment ${deployment} was given back, or another process has it now.`;
  return new StorageFailure('lost', sentence);
}
