/**
 * Checks whether the service has the keys that verify client tokens. Without them, every client is refused, and only the log and
 * the refused clients see it.
 */
import type { ClientAuthSettings } from '../../config/settings.ts';
import { ServiceError, type ServiceErrorCode } from '../../ground/errors.ts';
import type { Download } from './download.ts';
import { describeUnfetched, fetchKeys, type KeySetOptions, nameOf } from './keySet.ts';
import { knownAlgorithms, type TokenKey } from './keys.ts';
import { keySourcesIn } from './userTokens.ts';

export type KeyCheck =
  | { readonly state: 'ok'; readonly message: string }
  | { readonly state: 'failed'; readonly problems: readonly KeyProblem[] };

interface KeyProblem {
  readonly level: 'fatal';
  readonly code: ServiceErrorCode;
  readonly cause: string;
  readonly remedy: string;
}

/** Fetches each key set of the service config. The answer is for admins, and contains neither a key nor a secret. */
export async function checkClientKeys(settings: ClientAuthSettings, download?: Download): Promise<KeyCheck> {
  const { fixed, sets } = keySourcesIn(settings);
  const tried = await Promise.all(sets.map((set) => trySet({ ...set, ...(download && { download }) })));
  const problems = [
    ...(fixed.length + sets.length === 0 ? [withoutKeys] : []),
    ...([...fixed, ...sets].some(({ rules }) => rules.audience.length === 0) ? [withoutAudience] : []),
    ...tried.filter((each) => typeof each !== 'string'),
  ];
  if (problems.length > 0) return { state: 'failed', problems };
  const origins = [
    ...(fixed.length > 0 ? [`${countKeys(fixed)} of the service config`] : []),
    ...tried.filter((each) => typeof each === 'string'),
  ];
  return { state: 'ok', message: `Tokens are verified with ${origins.join(' and ')}.` };
}

const withoutKeys: KeyProblem = {
  level: 'fatal',
  code: 'SVC_S2201',
  cause: 'The service config names no key to verify tokens with, so every client is refused.',
  remedy: 'Add `jwks_uri`, or keys under `jwks.keys`, to `client_auth` in the service config.',
};

const withoutAudience: KeyProblem = {
  level: 'fatal',
  code: 'SVC_S2105',
  cause: 'The service config names no audience, so tokens are refused.',
  remedy: 'Set `client_auth.audience` in the service config to the `aud` of the tokens of the app.',
};

/** Returns a phrase about the usable keys of a set, or the problem if there are none. */
async function trySet(set: KeySetOptions): Promise<KeyProblem | string> {
  const { uri, settings } = set;
  const name = nameOf(uri);
  try {
    const { keys, published } = await fetchKeys(set);
    // Supabase publishes an empty set for projects whose tokens are signed with a secret.
    const mayBeEmpty = settings.supabase?.secret !== undefined && uri === settings.supabase.keySetUri;
    if (keys.length > 0 || (published === 0 && mayBeEmpty)) return `${countKeys(keys)} of ${name}`;
    return {
      level: 'fatal',
      code: 'SVC_S2201',
      cause:
        published === 0
          ? `The key set ${name} is empty, so tokens that need it are refused.`
          : `No key of the key set ${name} can verify tokens (${published} published), so tokens that need it are refused.`,
      remedy: `Publish a public key for signatures with one of the accepted algorithms: ${accepted}.`,
    };
  } catch (error) {
    return {
      level: 'fatal',
      code: error instanceof ServiceError ? error.code : 'SVC_S2204',
      cause: describeUnfetched(set, error),
      remedy:
        'Fetch this address with curl from the machine of the service. Then repair its server, or correct the address in `client_auth` of the service config.',
    };
  }
}

/** Secrets are accepted only from the service config. */
const accepted = knownAlgorithms.filter((name) => !name.startsWith('HS')).join(', ');

function countKeys(keys: readonly TokenKey[]): string {
  const algorithms = new Set(keys.flatMap((key) => key.algorithms));
  const number = keys.length === 1 ? '1 key' : `${keys.length} keys`;
  return algorithms.size === 0 ? number : `${number} (${[...algorithms].join(', ')})`;
}
