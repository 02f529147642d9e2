/** Verifies the tokens of clients: finds the key, checks the signature, then the claims. */
import { decodeProtectedHeader } from 'jose';
import type { ClientAuthSettings } from '../../config/settings.ts';
import { ServiceError } from '../../ground/errors.ts';
import type { World } from '../../ground/world.ts';
import type { User } from '../route.ts';
import { readClaims } from './claims.ts';
import { type KeySet, type KeySetOptions, openKeySet } from './keySet.ts';
import { importKeys, knownAlgorithms, supabaseSecret, type TokenKey, type TokenRules } from './keys.ts';
import { payloadSignedBy } from './signature.ts';

/** Throws a {@link ServiceError} with status 401 that names the failed check. */
export type VerifyUser = (token: string) => Promise<User>;

const day = 86_400;
/** The rules for Supabase tokens. Projects can choose a lifetime of up to a week; 20 minutes are added for clocks and restarts. */
const supabaseRules: TokenRules = { audience: ['authenticated'], longestLife: 7 * day + 20 * 60 };

interface Keys {
  readonly fixed: readonly TokenKey[];
  readonly sets: readonly KeySet[];
}

export function openUserTokens(
  settings: ClientAuthSettings,
  world: Pick<World, 'clock' | 'log'> & Pick<KeySetOptions, 'download'>,
): VerifyUser {
  const { fixed, sets } = keySourcesIn(settings);
  const keys: Keys = { fixed, sets: sets.map((set) => openKeySet({ ...world, ...set }, world)) };
  // Fetches the keys now, so that a wrong address appears in the log at startup and not with the first client.
  for (const set of keys.sets) set.lookAgain();
  return async (token) => {
    try {
      return await verify(token, keys, world.clock.now() / 1000);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      world.log.write('info', `A token was refused: ${error.message}`, {
        code: error.code,
        ...labelsOf(token),
      });
      throw error;
    }
  };
}

/** Returns the keys of the service config, and the key sets that it names. */
export function keySourcesIn(settings: ClientAuthSettings): {
  readonly fixed: readonly TokenKey[];
  readonly sets: readonly KeySetOptions[];
} {
  const { supabase, audience } = settings;
  const rules: TokenRules = { audience, longestLife: day };
  return {
    fixed: [
      ...importKeys(settings.keys, rules),
      ...(supabase?.secret ? [supabaseSecret(supabase.secret, supabaseRules)] : []),
    ],
    sets: [
      ...settings.keySetUris.map((uri) => ({ uri, rules, settings })),
      ...(supabase?.keySetUri ? [{ uri: supabase.keySetUri, rules: supabaseRules, settings }] : []),
    ],
  };
}

async function verify(token: string, keys: Keys, now: number): Promise<User> {
  const { alg, kid } = headerOf(token);
  if (keys.fixed.length === 0 && keys.sets.length === 0)
    throw new ServiceError('SVC_S2201', 'No key is configured to verify tokens with: see `client_auth`.');
  // A token without a `kid` that one of our own keys has signed does not wait for a key set.
  const own = kid === undefined ? withoutKid(keys.fixed) : [];
  const signed = (await signedBy(keysFor(own, alg), token)) ?? (await signedByOther(own));
  return readClaims(signed.payload, signed.key.rules, now);

  async function signedByOther(tried: readonly TokenKey[]): Promise<SignedPayload> {
    const candidates = keysFor(await candidatesFor(kid, keys), alg);
    if (candidates.length === 0) throw refusal('The key and the token have different algorithms.');
    const untried = candidates.filter((key) => !tried.includes(key));
    const found = await signedBy(untried, token);
    if (found === undefined) throw refusal('The signature of the token is wrong.');
    return found;
  }
}

interface SignedPayload {
  readonly key: TokenKey;
  readonly payload: Uint8Array;
}

async function signedBy(candidates: readonly TokenKey[], token: string): Promise<SignedPayload | undefined> {
  for (const key of candidates) {
    const payload = await payloadSignedBy(key, token);
    if (payload !== undefined) return { key, payload };
  }
  return undefined;
}

function keysFor(keys: readonly TokenKey[], alg: string): readonly TokenKey[] {
  return keys.filter(({ algorithms }) => algorithms.includes(alg));
}

function headerOf(token: string): { alg: string; kid: string | undefined } {
  let header: { readonly alg?: unknown; readonly kid?: unknown };
  try {
    header = decodeProtectedHeader(token);
  } catch {
    throw refusal('The token is not a JWT.');
  }
  if (token.split('.').length !== 3) throw refusal('The token is not a JWT.');
  const { kid } = header;
  const alg = knownAlgorithms.find((name) => name === header.alg);
  if (alg === undefined) throw refusal('The token is signed with an algorithm that is not accepted.');
  return { alg, kid: typeof kid === 'string' ? kid : undefined };
}

/**
 * Returns the keys with the `kid` of the token, or else all keys without a `kid`. Key sets are asked only if no key of our own
 * matches.
 */
async function candidatesFor(kid: string | undefined, { fixed, sets }: Keys): Promise<readonly TokenKey[]> {
  const named = withKid(fixed, kid);
  if (named.length > 0) return named;
  const answers = await Promise.allSettled(sets.map((set) => set.keys()));
  const remote = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  const namedInSet = withKid(remote, kid);
  if (namedInSet.length > 0) return namedInSet;
  if (kid !== undefined) for (const set of sets) set.lookAgain();
  const wildcards = withoutKid([...fixed, ...remote]);
  if (wildcards.length > 0) return wildcards;
  const failed = answers.find((answer) => answer.status === 'rejected');
  throw (
    failed?.reason ??
    refusal(kid === undefined ? 'The token names no key (`kid`).' : 'No key has the `kid` of the token.')
  );
}

function withKid(keys: readonly TokenKey[], kid: string | undefined): readonly TokenKey[] {
  return kid === undefined ? [] : keys.filter((key) => key.kid === kid);
}

function withoutKid(keys: readonly TokenKey[]): readonly TokenKey[] {
  return keys.filter((key) => key.kid === undefined);
}

/** Returns facts that help to find the wrong key and are not secret. */
function labelsOf(token: string): { readonly kid?: string; readonly alg?: string } {
  try {
    const { kid, alg } = decodeProtectedHeader(token);
    return {
      ...(typeof kid === 'string' && { kid: kid.slice(0, 100) }),
      ...(typeof alg === 'string' && { alg: alg.slice(0, 20) }),
    };
  } catch {
    return {};
  }
}

function refusal(sentence: string): ServiceError {
  return new ServiceError('SVC_S2101', sentence);
}
