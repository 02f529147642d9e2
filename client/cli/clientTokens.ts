/** Signs tokens of clients with a secret key of the service config, as a sign-in for development would. */
import { createHmac } from 'node:crypto';
import { isOwnVariable } from '../project/trust.ts';
import { CliFailure } from './failure.ts';
import { readServiceConfig } from './serviceConfig.ts';
import type { Values } from './values.ts';
import type { World } from './world.ts';

/** Seconds. The service refuses tokens that live longer (SVC_S2104). */
export const lifetimes = { usual: 43_200, longest: 86_400 };

export interface Signing {
  /** The path of the service config; the usual places if not given. */
  readonly config?: string | undefined;
  /** Which key; the first secret one if not given. */
  readonly kid?: string | undefined;
  /** Instead of that in the service config. */
  readonly audience?: readonly string[];
  /** Seconds. */
  readonly lifetime: number;
}

export interface SignedToken {
  readonly token: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

export async function signToken(
  claims: Readonly<Record<string, unknown>>,
  { config: named, kid, audience = [], lifetime }: Signing,
  world: World,
): Promise<SignedToken> {
  const config = await readServiceConfig(world, named);
  if (config === undefined)
    throw new CliFailure('There is no service.yaml here. Name the service config with --config FILE.');
  const { path, values } = config;
  refuseStrangeVariables(values, path);
  const key = findKey(values, kid, path);
  const aud = audience.length > 0 ? audience : values.texts('/client_auth/audience');
  if (aud.length === 0)
    throw new CliFailure(`${path} lists no client_auth.audience, so the service accepts no token.`);
  const iat = Math.floor(world.now() / 1000);
  const exp = iat + lifetime;
  const header = { alg: key.alg, ...(key.kid !== undefined && { kid: key.kid }), typ: 'JWT' };
  const token = sign(header, { ...claims, iat, exp, iss: 'headwater', aud }, key);
  return { token, expiresAt: exp * 1000 };
}

/** What is in a token, or signs it, gets around; and a service accepts no other variables either. */
function refuseStrangeVariables(values: Values, path: string): void {
  const strange = values.variablesBelow('/client_auth/').find((name) => !isOwnVariable(name));
  if (strange !== undefined)
    throw new CliFailure(
      `${path} takes a value of client_auth from the variable ${strange}. Services accept only variables that begin with PS_: give it such a name.`,
    );
}

const hashes: Readonly<Record<string, string>> = { HS256: 'sha256', HS384: 'sha384', HS512: 'sha512' };

interface Key {
  readonly alg: string;
  readonly kid: string | undefined;
  readonly secret: Buffer;
}

function findKey(values: Values, kid: string | undefined, path: string): Key {
  const list = '/client_auth/jwks/keys';
  for (let index = 0; index < values.count(list); index += 1) {
    const at = `${list}/${index}`;
    const own = values.text(`${at}/kid`);
    if (values.text(`${at}/kty`) !== 'oct' || (kid !== undefined && kid !== own)) continue;
    const alg = values.text(`${at}/alg`) ?? 'HS256';
    const k = values.text(`${at}/k`);
    if (k !== undefined && hashes[alg] !== undefined)
      return { alg, kid: own, secret: Buffer.from(k, 'base64url') };
  }
  const which = kid === undefined ? 'secret key' : `secret key with the kid ${kid}`;
  throw new CliFailure(
    `${path} has no ${which} to sign with. Under client_auth.jwks.keys, add { kty: oct, alg: HS256, kid: dev, k: !env PS_JWT_SECRET_B64URL }.`,
  );
}

function sign(header: object, claims: object, { alg, secret }: Key): string {
  const head = `${encode(header)}.${encode(claims)}`;
  return `${head}.${createHmac(hashes[alg] ?? '', secret)
    .update(head)
    .digest('base64url')}`;
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
