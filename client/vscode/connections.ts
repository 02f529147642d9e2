/**
 * The connections to services, and the tokens for them.
 *
 * 1. Calls with the same address and token share a connection, which stays open until the window closes. A connection from
 *    `connectAs` belongs to the caller.
 * 2. An address is checked before the user is asked for its token.
 * 3. A text that cannot be a token is never sent, and counts as refused.
 */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Disposable, l10n, type SecretStorage } from 'vscode';
import type { Api, TokenVerdict } from '../api/api.ts';
import type { Endpoint } from '../api/connection.ts';
import { ApiFailure, isFailure } from '../api/failure.ts';
import { loadOnDemand } from './loading.ts';
import { readProxy } from './settings.ts';
import { requireUrl, type Target } from './targets/target.ts';
import { type Consents, type FoundToken, openTokens, type Tokens } from './targets/tokens.ts';

interface Parts {
  readonly secrets: SecretStorage;
  /** The folder of the workspace on this disk, if it has one. */
  readonly folder: string | undefined;
  readonly consents: Consents;
  readonly localToken: () => Promise<string>;
}

export class Connections implements Disposable {
  readonly tokens: Tokens;
  readonly #folder: string | undefined;
  readonly #open = new Map<string, Api>();

  constructor({ secrets, folder, consents, localToken }: Parts) {
    this.#folder = folder;
    this.tokens = openTokens(secrets, localToken, consents, (target, token) => this.#prove(target, token));
  }

  /** Connects to a target. Returns undefined if the user was asked for a token and entered none. */
  readonly connect = async (target: Target, asks: 'asks' | 'quiet'): Promise<Api | undefined> => {
    // Invariant 2.
    requireUrl(target);
    const found = await this.tokens.of(target, asks);
    const isRefused =
      asks === 'asks' &&
      found !== undefined &&
      target.token.kind === 'stored' &&
      (await this.#prove(target, found)) === 'refused';
    const token = isRefused ? await this.tokens.askAgain(target, 'refused') : found;
    return token && this.at(endpointOf(target, token, this.#folder));
  };

  /** Connects with a token of a client. The caller closes the connection. */
  readonly connectAs = async (target: Target, token: FoundToken): Promise<Api> => {
    const { openApi } = await loadOnDemand();
    return openApi(endpointOf(target, token, this.#folder));
  };

  /** Returns the shared connection for an endpoint. */
  async at(endpoint: Endpoint): Promise<Api> {
    const key = JSON.stringify(endpoint);
    const known = this.#open.get(key);
    if (known !== undefined) return known;
    const { openApi } = await loadOnDemand();
    const api = this.#open.get(key) ?? openApi(endpoint);
    this.#open.set(key, api);
    return api;
  }

  dispose(): void {
    void Promise.all([...this.#open.values()].map((api) => api.close()));
  }

  async #prove(target: Target, token: FoundToken): Promise<TokenVerdict> {
    try {
      return await (await this.at(endpointOf(target, token, this.#folder))).judgeToken();
    } catch (error) {
      // Invariant 3.
      if (isFailure(error, 'unauthorized')) return 'refused';
      throw error;
    }
  }
}

/** @param folder the folder of the workspace */
function endpointOf(target: Target, { token, origin }: FoundToken, folder: string | undefined): Endpoint {
  return {
    url: requireUrl(target),
    name: target.name,
    token,
    tokenOrigin: origin,
    ...(target.ca !== undefined && { ca: readCa(target.ca, folder) }),
    proxy: readProxy(),
  };
}

function readCa(path: string, folder = ''): string {
  try {
    return readFileSync(resolve(folder, path), 'utf8');
  } catch {
    throw new ApiFailure('untrusted', l10n.t('The certificates in {0} cannot be read.', path));
  }
}
