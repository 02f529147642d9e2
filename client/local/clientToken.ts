/** Tokens for apps under development, as a sign-in of the app itself would give them. */
import { createHmac } from 'node:crypto';
import { localAudience, localKeyId } from './names.ts';

/** Seconds. Services refuse more than a day. */
export const tokenLifetime = 12 * 3600;

export type ClientClaims = Readonly<Record<string, unknown>> & { readonly sub: string };

/** @param key base64url, as in a JWK; `now` in milliseconds since 1970 */
export function createClientToken(claims: ClientClaims, key: string, now: number): string {
  const iat = Math.floor(now / 1000);
  const header = { alg: 'HS256', typ: 'JWT', kid: localKeyId };
  const all = { ...claims, aud: [localAudience], iat, exp: iat + tokenLifetime };
  const signed = [header, all]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  const signature = createHmac('sha256', Buffer.from(key, 'base64url')).update(signed).digest('base64url');
  return `${signed}.${signature}`;
}
