import { verify } from 'node:crypto';
import { compactVerify, decodeProtectedHeader, errors } from 'jose';
import { ServiceError } from '../../ground/errors.ts';
import type { TokenKey } from './keys.ts';

/** What the token says, or undefined if another key has signed it. */
export async function payloadSignedBy(
  { key, algorithms }: TokenKey,
  token: string,
): Promise<Uint8Array | undefined> {
  if (key.asymmetricKeyType === 'ed448') return payloadSignedByEd448(key, token);
  try {
    return (await compactVerify(token, key, { algorithms: [...algorithms] })).payload;
  } catch (error) {
    if (error instanceof errors.JWSSignatureVerificationFailed) return undefined;
    throw unverifiable(error);
  }
}

/** `jose` leaves this curve out. */
function payloadSignedByEd448(key: TokenKey['key'], token: string): Uint8Array | undefined {
  const [header = '', payload = '', signature = ''] = token.split('.');
  // An extension that must be understood, and is not.
  if (decodeProtectedHeader(token).crit !== undefined) throw unverifiable();
  const isRight = verify(null, Buffer.from(`${header}.${payload}`), key, Buffer.from(signature, 'base64url'));
  return isRight ? Buffer.from(payload, 'base64url') : undefined;
}

function unverifiable(cause?: unknown): ServiceError {
  return new ServiceError('SVC_S2101', 'The token cannot be verified.', { cause });
}
