/** Signs tokens for clients, with a secret that the service also verifies them with. `headwater token` creates the same tokens. */
import { SignJWT } from 'jose';
import type { ClientAuthSettings } from '../../config/settings.ts';
import type { Clock } from '../../ground/world.ts';

export type SignClientToken = (
  user: string,
  claims: Readonly<Record<string, unknown>>,
) => Promise<{ readonly token: string; readonly expiresAt: number }>;

/** The lifetime in seconds, which is enough for the page of a device to connect. */
const lifetime = 300;

/** Returns undefined if no key of the service config is a secret, or no audience is accepted. */
export function openClientTokens(
  { keys, audience }: Pick<ClientAuthSettings, 'keys' | 'audience'>,
  clock: Pick<Clock, 'now'>,
): SignClientToken | undefined {
  const jwk = keys.find(
    ({ kty, k, alg }) => kty === 'oct' && typeof k === 'string' && isSecretAlgorithm(alg),
  );
  const [first] = audience;
  if (jwk === undefined || first === undefined) return undefined;
  const { k, kid, alg = 'HS256' } = jwk;
  const secret = Buffer.from(String(k), 'base64url');
  return async (user, claims) => {
    const iat = Math.floor(clock.now() / 1000);
    const exp = iat + lifetime;
    const token = await new SignJWT({ ...claims, sub: user, iat, exp, aud: first, iss: 'headwater' })
      .setProtectedHeader({ alg: String(alg), typ: 'JWT', ...(typeof kid === 'string' && { kid }) })
      .sign(secret);
    return { token, expiresAt: exp * 1000 };
  };
}

function isSecretAlgorithm(alg: unknown): boolean {
  return alg === undefined || ['HS256', 'HS384', 'HS512'].includes(String(alg));
}
