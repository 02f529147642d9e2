/**
 * A key set that an identity provider publishes.
 *
 *     none ──fetched──► fresh ──5 min──► stale (used, refreshed meanwhile) ──60 min──► none
 *
 * Attempts, failed or not, are rationed: see {@link pauseAfter}.
 */
import type { ClientAuthSettings } from '../../config/settings.ts';
import { backoffAfter } from '../../ground/backoff.ts';
import { ServiceError } from '../../ground/errors.ts';
import { startAlone } from '../../ground/unattended.ts';
import type { World } from '../../ground/world.ts';
import { type Download, download } from './download.ts';
import { importKey, type TokenKey, type TokenRules } from './keys.ts';

export interface KeySet {
  /** Throws a {@link ServiceError} while there are no keys. */
  readonly keys: () => Promise<readonly TokenKey[]>;
  /** Fetches the keys in the background. Called when a token names an unknown key, which may be new. */
  readonly lookAgain: () => void;
}

/** A key set of the service config, and the rules for the tokens that its keys have signed. */
export interface KeySetOptions {
  readonly uri: string;
  readonly rules: TokenRules;
  readonly settings: Pick<ClientAuthSettings, 'rejectIpRanges' | 'blockLocalKeySets' | 'supabase'>;
  readonly download?: Download;
}

const minute = 60_000;
/** Times in milliseconds. */
const staleAfter = 5 * minute;
const goneAfter = 60 * minute;
/** The time that a client waits for a fetch, in milliseconds. */
const patience = 3_000;

interface FetchResult {
  readonly keys: readonly TokenKey[];
  readonly at: number;
}

interface State {
  fetched: FetchResult | undefined;
  fetching: Promise<void> | undefined;
  failure: ServiceError;
  /** The number of recent attempts, which decreases by one each minute. */
  attempts: number;
  lastAttemptAt: number;
}

export function openKeySet(options: KeySetOptions, { clock, log }: Pick<World, 'clock' | 'log'>): KeySet {
  const state: State = {
    fetched: undefined,
    fetching: undefined,
    failure: unavailable(),
    attempts: 0,
    lastAttemptAt: Number.NEGATIVE_INFINITY,
  };
  const fetchNow = async (): Promise<void> => {
    try {
      const { keys } = await fetchKeys(options);
      state.fetched = { keys, at: clock.steady() };
    } catch (error) {
      state.failure = error instanceof ServiceError ? error : unavailable();
      log.write('warn', describeUnfetched(options, error));
    } finally {
      state.fetching = undefined;
    }
  };
  /** Returns the running fetch, or undefined if it is too early for another attempt. */
  const attempt = (): Promise<void> | undefined => {
    if (state.fetching !== undefined) return state.fetching;
    const idle = clock.steady() - state.lastAttemptAt;
    if (idle < pauseAfter(state.attempts)) return undefined;
    state.attempts = Math.max(0, state.attempts - Math.floor(idle / minute)) + 1;
    state.lastAttemptAt = clock.steady();
    state.fetching = fetchNow();
    return state.fetching;
  };
  /** Returns the fetched keys if they are younger than this, in milliseconds. */
  const keysWithin = (age: number): readonly TokenKey[] | undefined =>
    state.fetched !== undefined && clock.steady() - state.fetched.at < age ? state.fetched.keys : undefined;
  return {
    keys: async () => {
      const fresh = keysWithin(staleAfter);
      if (fresh !== undefined) return fresh;
      const fetching = attempt();
      const stale = keysWithin(goneAfter);
      if (stale !== undefined) return stale;
      if (fetching === undefined) throw state.failure;
      const late = new AbortController();
      await Promise.race([fetching, clock.sleep(patience, late.signal)]);
      late.abort();
      if (state.fetching !== undefined) throw unavailable();
      const keys = keysWithin(goneAfter);
      if (keys === undefined) throw state.failure;
      return keys;
    },
    lookAgain: () => startAlone('Fetching a key set', attempt),
  };
}

/**
 * Returns the pause after this number of attempts. Ten attempts may follow each other quickly, 0.1 s to 51 s apart; after that,
 * there is one attempt each minute.
 */
export function pauseAfter(attempts: number): number {
  return backoffAfter(attempts, { first: 100, longest: minute });
}

/** Fetches a key set. Returns the keys that can verify tokens, and the number of all its keys. */
export async function fetchKeys({
  uri,
  rules,
  settings,
  download: fetchText = download,
}: KeySetOptions): Promise<{ readonly keys: readonly TokenKey[]; readonly published: number }> {
  const { keys } = (parse(await fetchText(new URL(uri), settings)) ?? {}) as { readonly keys?: unknown };
  if (!Array.isArray(keys)) throw new TypeError('The answer is not a key set.');
  const usable = keys.filter(isForSignatures).flatMap((jwk) => importKey(jwk, rules) ?? []);
  return { keys: usable, published: keys.length };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new TypeError('The answer is not JSON.');
  }
}

export function describeUnfetched({ uri }: Pick<KeySetOptions, 'uri'>, error: unknown): string {
  return `The key set ${nameOf(uri)} cannot be fetched, so tokens that need it are refused: ${(error as Error).message}`;
}

/** Whether a key is for signatures. Secrets are never accepted from the network. */
function isForSignatures(jwk: unknown): jwk is Readonly<Record<string, unknown>> {
  const { kty, use, key_ops: operations } = (jwk ?? {}) as Readonly<Record<string, unknown>>;
  if (kty !== 'RSA' && kty !== 'EC' && kty !== 'OKP') return false;
  if (use !== undefined && use !== 'sig') return false;
  return operations === undefined || (Array.isArray(operations) && operations.includes('verify'));
}

function unavailable(): ServiceError {
  return new ServiceError(
    'SVC_S2204',
    'The key set that tokens are verified with is not available at the moment.',
  );
}

/** Returns the URI for people, without its query and user, which may contain a secret. */
export function nameOf(uri: string): string {
  const { origin, pathname } = new URL(uri);
  return `${origin}${pathname}`;
}
