/**
 * Converts errors to text. SDKs look for codes with the prefix of the reference service, and drop their token only for some of
 * them.
 */
import { entryOf, ServiceError, toKnownError } from '../../ground/errors.ts';
import type { Log } from '../../ground/log.ts';
import { logFailure } from '../../ground/log.ts';

/** Returns `[PSYNC_S2302] No sync config is active`, with the details in a second line. */
export function rejectionText({ code, details }: ServiceError): string {
  const text = `[${code.replace('SVC_', 'PSYNC_')}] ${entryOf(code).description}`;
  return details === undefined ? text : `${text}\n  ${details}`;
}

/** Returns an error for the client. The message of an unknown error may contain anything, so only the log gets it. */
export function toServiceError(error: unknown, log: Log): ServiceError {
  const known = toKnownError(error);
  if (known === undefined || known.status >= 500) {
    logFailure(log, 'A sync stream', error);
  }
  return (
    known ??
    new ServiceError('SVC_S2001', 'The log of the service has details.', { status: 500, cause: error })
  );
}
