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

export interface SignedToken {
  readonly token: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

const hashes = { HS256: 'sha256', HS384: 'sha384', HS512: 'sha512' } as const;

export function isSecretAlgorithm(name: string): name is ClientKey['alg'] {
  return Object.hasOwn(hashes, name);
}

/** Seconds. Services refuse tokens that live longer (SVC_S2104). */
export const lifetimes = { usual: 43_200, longest: 86_400 } as const;

/**
 * @param now milliseconds since 1970
 * @param lifetime seconds
 */
export function signClientToken(
  claims: ClientClaims,
  { kid, alg, k, audience }: ClientKey,
  now: number,
  lifetime: number = lifetimes.usual,
): SignedToken {
  const iat = Math.floor(now / 1000);
  const exp = iat + lifetime;
  const header = { alg, ...(kid !== undefined && { kid }), typ: 'JWT' };
  const signed = [header, { ...claims, iat, exp, iss: 'headwater', aud: audience }]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  const signature = createHmac(hashes[alg], Buffer.from(k, 'base64url')).update(signed).digest('base64url');
  return { token: `${signed}.${signature}`, expiresAt: exp * 1000 };
}

/** The key that the local service accepts. */
export function localClientKey(k: string): ClientKey {
  return { kid: localKeyId, alg: 'HS256', k, audience: [localAudience] };
}
