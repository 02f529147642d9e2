/** Verifies that a client knows the password, without transmitting it: SCRAM-SHA-256 (RFC 5802, RFC 7677). */
import { createHash, createHmac, pbkdf2Sync, randomBytes, timingSafeEqual } from 'node:crypto';

export const scramMechanism = 'SCRAM-SHA-256';

export interface Verifier {
  readonly salt: Buffer;
  readonly storedKey: Buffer;
  readonly serverKey: Buffer;
}

/**
 * Each function returns the next message of the server. Undefined: the client does not know the password, or its message is
 * invalid.
 */
interface Scram {
  /** Returns the answer to the client's first message. */
  challenge(first: string): string | undefined;
  /** Returns the answer to the client's last message, after which the client is admitted. */
  conclude(final: string): string | undefined;
}

/** The number of iterations, which is that of PostgreSQL. */
const iterations = 4096;
/** Lengths in bytes. */
const lengths = { salt: 16, nonce: 18, key: 32 };

/** Computes the verifier of a password. Do this only once, because it deliberately takes milliseconds. */
export function verifierOf(password: string, salt = randomBytes(lengths.salt)): Verifier {
  const salted = pbkdf2Sync(password.normalize('NFKC'), salt, iterations, lengths.key, 'sha256');
  const storedKey = createHash('sha256').update(hmac(salted, 'Client Key')).digest();
  return { salt, storedKey, serverKey: hmac(salted, 'Server Key') };
}

export function openScram(
  verifier: Verifier,
  serverNonce = randomBytes(lengths.nonce).toString('base64'),
): Scram {
  let known:
    | { readonly bare: string; readonly header: string; readonly nonce: string; readonly said: string }
    | undefined;
  return {
    challenge(first) {
      // Channel binding, which needs TLS, is not supported. The name is ignored, because the start-up message has one.
      const match = /^([ny],(?:a=[^,]*)?,)((?:n=[^,]*),r=([\x21-\x2b\x2d-\x7e]+))(?:,|$)/.exec(first);
      const [, header = '', bare = '', clientNonce = ''] = match ?? [];
      if (match === null || first !== header + bare) return undefined;
      const nonce = clientNonce + serverNonce;
      const said = `r=${nonce},s=${verifier.salt.toString('base64')},i=${iterations}`;
      known = { bare, header, nonce, said };
      return said;
    },
    conclude(final) {
      const match = /^(c=([^,]*),r=([^,]*)),p=([A-Za-z0-9+/]+=*)$/.exec(final);
      const [, withoutProof, binding = '', nonce, proof = ''] = match ?? [];
      if (known === undefined || match === null || nonce !== known.nonce) return undefined;
      if (Buffer.from(binding, 'base64').toString() !== known.header) return undefined;
      const all = `${known.bare},${known.said},${withoutProof}`;
      const clientKey = xor(Buffer.from(proof, 'base64'), hmac(verifier.storedKey, all));
      if (clientKey === undefined) return undefined;
      const storedKey = createHash('sha256').update(clientKey).digest();
      if (!timingSafeEqual(storedKey, verifier.storedKey)) return undefined;
      return `v=${hmac(verifier.serverKey, all).toString('base64')}`;
    },
  };
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

function xor(one: Buffer, other: Buffer): Buffer | undefined {
  if (one.length !== other.length) return undefined;
  return Buffer.from(one.map((byte, at) => byte ^ (other[at] as number)));
}
