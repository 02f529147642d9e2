/** Signs a token that syncs as a user of the app, for an admin who wants to see what that user gets. */
import { ServiceError } from '../ground/errors.ts';
import type { Parameters } from '../http/route.ts';
import type { ApiParts } from './parts.ts';
import { timestamp } from './status.ts';

export function problemsInClientToken({ user_id: user, claims }: Parameters): readonly string[] {
  const isObject = typeof claims === 'object' && claims !== null && !Array.isArray(claims);
  return [
    ...(typeof user === 'string' && user !== '' ? [] : [`The property 'user_id' must be a string.`]),
    ...(claims === undefined || isObject ? [] : [`The property 'claims' must be an object.`]),
  ];
}

export async function answerClientToken(
  { user_id: user, claims = {} }: Parameters,
  { signClientToken }: Pick<ApiParts, 'signClientToken'>,
): Promise<unknown> {
  if (signClientToken === undefined)
    throw new ServiceError(
      'SVC_S4108',
      'This service has no secret to sign tokens for clients with: `client_auth.jwks.keys` has no key of type `oct`.',
    );
  const { token, expiresAt } = await signClientToken(String(user), claims as Record<string, unknown>);
  return { token, expires_ts: timestamp(expiresAt) };
}
