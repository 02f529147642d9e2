/** Client tokens for development, signed with a secret key from the service config. */
import {
  type ClientClaims,
  type ClientKey,
  localClientKey,
  type SignedToken,
  signClientToken,
} from '../project/clientToken.ts';
import { clientKeysOf } from '../project/serviceConfig.ts';
import { CliFailure } from './failure.ts';
import { findRunning } from './project/running.ts';
import { readServiceConfig } from './projectFiles.ts';
import type { World } from './world.ts';

interface SigningOptions {
  /** The path of the service config. Absent: the usual places. */
  readonly config?: string | undefined;
  /** The id of the key to sign with. Absent: the first secret key. */
  readonly kid?: string | undefined;
  /** Replaces the audience in the service config. */
  readonly audience?: readonly string[];
  /** The lifetime in seconds. */
  readonly lifetime?: number | undefined;
}

export async function signToken(
  claims: ClientClaims,
  { config: named, kid, audience = [], lifetime }: SigningOptions,
  world: World,
): Promise<SignedToken> {
  const running = named === undefined ? await findRunning(world) : undefined;
  if (running?.secrets !== undefined && kid === undefined && audience.length === 0)
    return signClientToken(claims, localClientKey(running.secrets.key), world.now(), lifetime);
  const config = await readServiceConfig(world, named);
  if (config === undefined)
    throw new CliFailure('No service.yaml found here. Specify the service config with --config FILE.');
  const key = chooseKey(clientKeysOf(config), kid, config.path);
  const aud = audience.length > 0 ? audience : key.audience;
  if (aud.length === 0)
    throw new CliFailure(`${config.path} lists no client_auth.audience, so the service accepts no token.`);
  return signClientToken(claims, { ...key, audience: aud }, world.now(), lifetime);
}

function chooseKey(keys: readonly ClientKey[], kid: string | undefined, path: string): ClientKey {
  const key = keys.find((each) => kid === undefined || each.kid === kid);
  if (key !== undefined) return key;
  const which = kid === undefined ? 'secret key' : `secret key with the kid ${kid}`;
  throw new CliFailure(
    `${path} has no ${which} to sign with. Under client_auth.jwks.keys, add { kty: oct, alg: HS256, kid: dev, k: !env PS_JWT_SECRET_B64URL }. Its variables must begin with PS_.`,
  );
}
