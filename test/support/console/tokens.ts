/** Client tokens that are signed with the key of the service in the console's tests. */
import { signClientToken } from '../../../client/project/clientToken.ts';

export function signToken(
  user: string,
  secret: Buffer,
  claims: Readonly<Record<string, unknown>> = {},
): string {
  const key = { kid: 'tests', alg: 'HS256', k: secret.toString('base64url'), audience: ['app'] } as const;
  return signClientToken({ ...claims, sub: user }, key, Date.now()).token;
}
