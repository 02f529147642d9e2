import { createHash, timingSafeEqual } from 'node:crypto';
import { ServiceError } from '../../ground/errors.ts';
import { tokenIn } from './header.ts';

/** Says the same of a missing, a malformed and a wrong token, after the same time. */
export function adminCheck(tokens: readonly string[]): (authorization: string | undefined) => void {
  const digests = tokens.map(digest);
  return (authorization) => {
    if (digests.length === 0)
      throw new ServiceError(
        'SVC_S2101',
        'No API token is configured, so the API is closed: see `api.tokens`.',
      );
    const given = digest(tokenIn(authorization) ?? '');
    const matches = digests.filter((expected) => timingSafeEqual(expected, given));
    if (matches.length === 0)
      throw new ServiceError('SVC_S2101', 'Send `Authorization: Bearer TOKEN` with one of `api.tokens`.');
  };
}

/** Of equal length for all, which the comparison needs. */
function digest(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
