/** The keys that verify client tokens. */
import { createPublicKey, createSecretKey, type JsonWebKeyInput, type KeyObject } from 'node:crypto';
import type { JwkSettings } from '../../config/settings.ts';
import { ServiceError } from '../../ground/errors.ts';

/** The requirements for a token that a key has signed. */
export interface TokenRules {
  /** The accepted audiences. One of them must be in `aud`. */
  readonly audience: readonly string[];
  /** The longest lifetime of a token, from `iat` to `exp`, in seconds. */
  readonly longestLife: number;
}

export interface TokenKey {
  /** The id of the key. A key without an id is tried for all tokens, with or without `kid`. */
  readonly kid?: string;
  readonly algorithms: readonly string[];
  readonly key: KeyObject;
  readonly rules: TokenRules;
}

const algorithmsOf: Readonly<Record<string, readonly string[]>> = {
  RSA: ['RS256', 'RS384', 'RS512'],
  oct: ['HS256', 'HS384', 'HS512'],
  OKP: ['EdDSA'],
  'EC P-256': ['ES256'],
  'EC P-384': ['ES384'],
  'EC P-521': ['ES512'],
};

export const knownAlgorithms: readonly string[] = Object.values(algorithmsOf).flat();

/** The minimum size of an RSA key in bits: RFC 7518, 3.3. */
const shortestModulus = 2048;

/** Returns undefined for a broken key, or for a type of key that cannot sign tokens. */
export function importKey(jwk: Readonly<Record<string, unknown>>, rules: TokenRules): TokenKey | undefined {
  const { kty, crv, alg, kid } = jwk;
  const family = algorithmsOf[kty === 'EC' ? `EC ${String(crv)}` : String(kty)] ?? [];
  const algorithms = alg === undefined ? family : family.filter((name) => name === alg);
  const key = algorithms.length === 0 ? undefined : keyObjectOf(jwk);
  if (key === undefined) return undefined;
  return { algorithms, key, rules, ...(typeof kid === 'string' && { kid }) };
}

function keyObjectOf(jwk: Readonly<Record<string, unknown>>): KeyObject | undefined {
  if (jwk.kty === 'oct')
    return typeof jwk.k === 'string' ? secretOf(Buffer.from(jwk.k, 'base64url')) : undefined;
  try {
    const key = createPublicKey({ key: jwk, format: 'jwk' } as JsonWebKeyInput);
    // Keys other than RSA have no modulus, so the comparison is false.
    return Number(key.asymmetricKeyDetails?.modulusLength) < shortestModulus ? undefined : key;
  } catch {
    return undefined;
  }
}

function secretOf(bytes: Buffer): KeyObject | undefined {
  return bytes.length === 0 ? undefined : createSecretKey(bytes);
}

/** Returns the key of Supabase projects without asymmetric keys. The text itself is the secret; it is not Base64. */
export function supabaseSecret(secret: string, rules: TokenRules): TokenKey {
  return { algorithms: ['HS256'], key: createSecretKey(Buffer.from(secret, 'utf8')), rules };
}

/**
 * Imports the keys of the service config. Throws for an unusable key, because otherwise clients would be refused without a
 * visible reason.
 */
export function importKeys(jwks: readonly JwkSettings[], rules: TokenRules): readonly TokenKey[] {
  return jwks.map(({ place, ...jwk }, index) => {
    const key = importKey(jwk, rules);
    if (key !== undefined) return key;
    // The place is clearer than the number, because preceding keys may have been omitted.
    const which = typeof place === 'string' ? place : index + 1;
    throw new ServiceError(
      'SVC_S2201',
      `Key ${which} of \`client_auth.jwks.keys\` (${jwk.kty}) is not a key that tokens can be verified with.`,
    );
  });
}
