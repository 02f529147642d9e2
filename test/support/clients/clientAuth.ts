/** One key for the clients of a service under test: its config, and tokens that are signed with it. */
import { SignJWT } from 'jose';

const secret = 'a secret that only tests know, and that is long enough';
const tokenAudience = 'test';

/** Of a service config. */
export const clientAuth = {
  audience: [tokenAudience],
  jwks: { keys: [{ kty: 'oct', alg: 'HS256', kid: 'one', k: Buffer.from(secret).toString('base64url') }] },
} as const;

export function clientToken(user: string, lifetime = '1h'): Promise<string> {
  return new SignJWT({})
    .setProtectedHeader({ alg: 'HS256', kid: 'one' })
    .setSubject(user)
    .setAudience(tokenAudience)
    .setIssuedAt()
    .setExpirationTime(lifetime)
    .sign(Buffer.from(secret));
}
