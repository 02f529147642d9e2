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
