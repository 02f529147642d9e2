/** The exit codes of a process of the service, which are those of the reference service. */
import { ServiceError } from '../ground/errors.ts';
import { SourceFailure } from '../replication/source.ts';
import { StorageFailure } from '../storage/storageFailure.ts';

export const exitCodes = {
  done: 0,
  /** The command failed, or the service did not stop in time. */
  failed: 1,
  /** The options are wrong. */
  usage: 2,
  /** The configuration does not allow the service to start. */
  startup: 150,
  /** The stored data cannot be used. */
  storage: 151,
} as const;

export function exitCodeOf(error: unknown): number {
  const isBeyondRepair =
    error instanceof StorageFailure && (error.kind === 'corrupt' || error.kind === 'newer');
  return isBeyondRepair ? exitCodes.storage : exitCodes.startup;
}

/** Explains an error for people. Unforeseen errors include their place in the code. */
export function explain(error: unknown): string {
  if (error instanceof ServiceError || error instanceof SourceFailure)
    return `[${error.code}] ${error.message}`;
  if (error instanceof StorageFailure) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
