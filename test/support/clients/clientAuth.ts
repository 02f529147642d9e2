/** A key for the clients of a tested service: the config that accepts the key, and tokens that are signed with the key. */
import { SignJWT } from 'jose';

const secret = 'a secret that only tests know, and that is long enough';
const tokenAudience = 'test';

/** The part of a service config that sets how clients are authenticated. */
export const clientAuth = {
  audience: [tokenAudience],
  jwks: { keys: [{ kty: 'oct', alg: 'HS256', kid: 'one', k: Buffer.from(secret).toString('base64url') }] },
} as const;

const otherSecret = 'another secret that only tests know, and that is long enough';

/** Add this to {@link clientAuth} to accept a {@link longLivedToken}. Only Supabase tokens may be valid for more than a day. */
export const longLivedAuth = { supabase: true, supabase_jwt_secret: otherSecret } as const;

const twoDays = 2 * 86_400;

/** Returns a token that has been valid for two days and expires in two days, so it remains valid if a clock jumps by a day. */
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
