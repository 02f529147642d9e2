/** Controls access to routes: admins need a token of the service config, users need a JWT. */
import { createHash, timingSafeEqual } from 'node:crypto';
import { ServiceError } from '../../ground/errors.ts';
import type { Access } from '../dispatch.ts';
import type { VerifyUser } from './userTokens.ts';

export function createAccess(adminTokens: readonly string[], verifyUser: VerifyUser): Access {
  return {
    admin: adminCheck(adminTokens),
    user: async (authorization) => {
      const token = tokenIn(authorization);
      if (token === undefined)
        throw new ServiceError('SVC_S2106', 'Send `Authorization: Bearer TOKEN` with a JWT.');
      return verifyUser(token);
    },
  };
}

/** Returns a check that answers a missing, a malformed and a wrong token in the same way, after the same time. */
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

/** Returns a digest, because the comparison needs values of equal length. */
function digest(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/**
 * Returns the token in exactly this form: `Bearer VALUE` or `Token VALUE`. The case of the word matters, and there is one space.
 */
function tokenIn(authorization: string | undefined): string | undefined {
  return authorization?.match(/^(?:Bearer|Token) ([^\s]+)$/)?.[1];
}
