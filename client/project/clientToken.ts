/** Tokens for apps under development, as a sign-in of the app itself would give them. */
import { createHmac } from 'node:crypto';
import { localAudience, localKeyId } from './localNames.ts';

/** A secret key that a service accepts tokens of. */
export interface ClientKey {
  readonly kid?: string | undefined;
  readonly alg: keyof typeof hashes;
  /** base64url, as in a JWK. */
  readonly k: string;
  readonly audience: readonly string[];
}

export type ClientClaims = Readonly<Record<string, unknown>> & { readonly sub: string };

export const hashes = { HS256: 'sha256', HS384: 'sha384', HS512: 'sha512' } as const;

/** Seconds. Services refuse more than a day. */
export const tokenLifetime = 12 * 3600;

/** @param now milliseconds since 1970 */
export function createClientToken(
  claims: ClientClaims,
  { kid, alg, k, audience }: ClientKey,
  now: number,
): string {
  const iat = Math.floor(now / 1000);
  const header = { alg, typ: 'JWT', ...(kid !== undefined && { kid }) };
  const signed = [header, { ...claims, aud: audience, iat, exp: iat + tokenLifetime }]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  const signature = createHmac(hashes[alg], Buffer.from(k, 'base64url')).update(signed).digest('base64url');
  return `${signed}.${signature}`;
}

/** What the local service is told to accept. */
export function localClientKey(k: string): ClientKey {
  return { kid: localKeyId, alg: 'HS256', k, audience: [localAudience] };
}
