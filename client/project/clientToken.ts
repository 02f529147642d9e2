/** Tokens for apps under development, in place of a sign-in. */
import { createHmac } from 'node:crypto';
import { localAudience, localKeyId } from './localNames.ts';

/** A secret key whose tokens a service accepts. */
export interface ClientKey {
  readonly kid?: string | undefined;
  readonly alg: keyof typeof hashes;
  /** The secret in base64url, as in a JWK. */
  readonly k: string;
  readonly audience: readonly string[];
}

export type ClientClaims = Readonly<Record<string, unknown>> & { readonly sub: string };

export interface SignedToken {
  readonly token: string;
  /** The time when the token expires, in milliseconds since 1970. */
  readonly expiresAt: number;
}

const hashes = { HS256: 'sha256', HS384: 'sha384', HS512: 'sha512' } as const;

export function isSecretAlgorithm(name: string): name is ClientKey['alg'] {
  return Object.hasOwn(hashes, name);
}

/** Lifetimes of tokens, in seconds. Services refuse tokens with a longer lifetime (SVC_S2104). */
export const lifetimes = { usual: 43_200, longest: 86_400 } as const;

/**
 * @param now the time in milliseconds since 1970
 * @param lifetime the lifetime in seconds
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

/** Returns the key that the local service accepts. */
export function localClientKey(k: string): ClientKey {
  return { kid: localKeyId, alg: 'HS256', k, audience: [localAudience] };
}
