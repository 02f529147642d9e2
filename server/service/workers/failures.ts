/** Converts failures for the way to another process, where they have the same meaning. */
import { ServiceError, type ServiceErrorCode, toKnownError } from '../ground/errors.ts';
import { StorageFailure, type StorageFailureKind } from '../storage/storageFailure.ts';

export type PlainFailure =
  | {
      readonly kind: 'known';
      readonly code: ServiceErrorCode;
      readonly details: string | undefined;
      readonly status: number;
    }
  | { readonly kind: 'storage'; readonly reason: StorageFailureKind; readonly message: string }
  | { readonly kind: 'unforeseen'; readonly message: string };

export function plainFailure(error: unknown): PlainFailure {
  if (error instanceof StorageFailure) return { kind: 'storage', reason: error.kind, message: error.message };
  const known = toKnownError(error);
  if (known === undefined) return { kind: 'unforeseen', message: String(error) };
  const { code, details, status } = known;
  return { kind: 'known', code, details, status };
}

export function failureOfPlain(failure: PlainFailure): Error {
  switch (failure.kind) {
    case 'known':
      return new ServiceError(failure.code, failure.details, { status: failure.status });
    case 'storage':
      return new StorageFailure(failure.reason, failure.message);
    case 'unforeseen':
      return new Error(failure.message);
  }
}
