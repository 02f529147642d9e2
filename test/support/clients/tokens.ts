/** Keys, and tokens that are signed with these keys. They are built by hand, so that every part can be made invalid. */
import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';

export const now = 1_750_000_000;

export interface Signer {
  /** The JWK of the public key, or of the secret. */
  readonly jwk: Readonly<Record<string, unknown>> & { readonly kty: string };
  readonly alg: string;
  readonly sign: (data: string) => Buffer;
}

export function secret(text: string | Buffer, more: object = {}): Signer {
  const k = Buffer.from(text as string).toString('base64url');
  return {
    jwk: { kty: 'oct', alg: 'HS256', k, ...more },
    alg: 'HS256',
    sign: (data) => createHmac('sha256', text).update(data).digest(),
  };
}

export type KeyKind = 'RS256' | 'RS384' | 'RS512' | 'ES256' | 'ES384' | 'ES512' | 'Ed25519' | 'Ed448';

/** Returns the same key pair for each call with the same kind, because generating a key pair is slow. */
export function keyPair(kind: KeyKind, more: object = {}): Signer {
  let pair = pairs.get(kind);
  if (pair === undefined) {
    pair = generate(kind);
    pairs.set(kind, pair);
  }
  const { publicKey, privateKey } = pair;
  const isEdwards = kind.startsWith('Ed');
  const hash = isEdwards ? null : `sha${kind.slice(2)}`;
  const alg = isEdwards ? 'EdDSA' : kind;
  const jwk = publicKey.export({ format: 'jwk' }) as Signer['jwk'];
  return {
    jwk: { ...jwk, alg, ...more },
    alg,
    sign: (data) => sign(hash, Buffer.from(data), { key: privateKey, dsaEncoding: 'ieee-p1363' }),
  };
}

const pairs = new Map<KeyKind, { publicKey: KeyObject; privateKey: KeyObject }>();

function generate(kind: KeyKind): { publicKey: KeyObject; privateKey: KeyObject } {
  switch (kind) {
    case 'Ed25519':
      return generateKeyPairSync('ed25519');
    case 'Ed448':
      return generateKeyPairSync('ed448');
    case 'ES256':
    case 'ES384':
    case 'ES512':
      return generateKeyPairSync('ec', {
        namedCurve: { ES256: 'P-256', ES384: 'P-384', ES512: 'P-521' }[kind],
      });
    default:
      return generateKeyPairSync('rsa', { modulusLength: 2048 });
  }
}

/** Returns a token that is valid for an hour, unless `claims` change this. A claim that is undefined is left out. */
export function token(signer: Signer, claims: object = {}, header: object = {}): string {
  return signedText(
    signer,
    JSON.stringify({ sub: 'user1', aud: 'app', iat: now, exp: now + 3600, ...claims }),
    header,
  );
}

export function signedText(signer: Signer, payload: string | Buffer, header: object = {}): string {
  const head = JSON.stringify({
    alg: signer.alg,
    ...(signer.jwk.kid !== undefined && { kid: signer.jwk.kid }),
    ...header,
  });
  const data = `${encode(head)}.${encode(payload)}`;
  return `${data}.${signer.sign(data).toString('base64url')}`;
}

function encode(text: string | Buffer): string {
  return Buffer.from(text as string).toString('base64url');
}
