/** One key for the clients of a service under test: its config, and tokens that are signed with it. */
import { SignJWT } from 'jose';

const SECRET = 'a secret that only tests know, and that is long enough';
const AUDIENCE = 'test';

/** Of a service config. */
export const clientAuth = {
  audience: [AUDIENCE],
  jwks: { keys: [{ kty: 'oct', alg: 'HS256', kid: 'one', k: Buffer.from(SECRET).toString('base64url') }] },
} as const;

export function clientToken(user: string, lifetime = '1h'): Promise<string> {
  return new SignJWT({})
    .setProtectedHeader({ alg: 'HS256', kid: 'one' })
    .setSubject(user)
    .setAudience(AUDIENCE)
    .setIssuedAt()
    .setExpirationTime(lifetime)
    .sign(Buffer.from(SECRET));
}
