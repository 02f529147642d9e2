/** One key for the clients of a service under test: its config, and tokens that are signed with it. */
import { SignJWT } from 'jose';

const secret = 'a secret that only tests know, and that is long enough';
const tokenAudience = 'test';

/** The part of a service config about tokens of clients. */
export const clientAuth = {
  audience: [tokenAudience],
  jwks: { keys: [{ kty: 'oct', alg: 'HS256', kid: 'one', k: Buffer.from(secret).toString('base64url') }] },
} as const;

const otherSecret = 'another secret that only tests know, and that is long enough';

/** Added to {@link clientAuth}, accepts tokens of {@link longLivedToken}: only those of Supabase may live for more than a day. */
export const longLivedAuth = { supabase: true, supabase_jwt_secret: otherSecret } as const;

const twoDays = 2 * 86_400;

/** A token that is valid from two days ago until in two days, so that it outlives a clock that jumps by a day. */
export function longLivedToken(user: string): Promise<string> {
  const now = Math.floor(Date.now() / 1000);
  return new SignJWT({})
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(user)
    .setAudience('authenticated')
    .setIssuedAt(now - twoDays)
    .setExpirationTime(now + twoDays)
    .sign(Buffer.from(otherSecret));
}

export function clientToken(user: string, lifetime = '1h'): Promise<string> {
  return new SignJWT({})
    .setProtectedHeader({ alg: 'HS256', kid: 'one' })
    .setSubject(user)
    .setAudience(tokenAudience)
    .setIssuedAt()
    .setExpirationTime(lifetime)
    .sign(Buffer.from(secret));
}
