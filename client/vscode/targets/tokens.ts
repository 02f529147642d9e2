/** The sources of tokens. No token is ever written to a file, a setting or a log. */
import { l10n, type SecretStorage, window } from 'vscode';
import type { TokenVerdict } from '../../api/api.ts';
import { t } from '../../l10n.ts';
import { readEnvFile } from '../../project/envFile.ts';
import type { Consent } from '../../project/trust.ts';
import type { Target } from './target.ts';

export interface FoundToken {
  readonly token?: string | undefined;
  /** The origin of the token, for messages. */
  readonly origin: string;
}

export interface Tokens {
  /** Returns the token of a target. `asks`: the user is waiting, and may be asked. Undefined if the user gave up. */
  of(target: Target, asks: 'asks' | 'quiet'): Promise<FoundToken | undefined>;
  /**
   * Asks for a token even if one is stored, and again while the service refuses it. The token is stored only when the service
   * accepts it. Undefined if the user gave up.
   */
  askAgain(target: Target, reason: 'refused' | 'wanted'): Promise<FoundToken | undefined>;
}

/** Checks whether a service accepts a token. */
type Prove = (target: Target, token: FoundToken) => Promise<TokenVerdict>;

/** The consents of the user, from this window and earlier ones. */
export interface Consents {
  readonly has: (consent: Consent) => boolean;
  readonly add: (consent: Consent) => Promise<void>;
}

/** @param local the token of the local service */
export function openTokens(
  secrets: SecretStorage,
  local: () => Promise<string>,
  consents: Consents,
  prove: Prove,
): Tokens {
  const origin = t('the secret storage');

  async function askAgain(target: Target, reason: 'refused' | 'wanted'): Promise<FoundToken | undefined> {
    for (let isRefused = reason === 'refused'; ; isRefused = true) {
      const token = await typeToken(target, isRefused);
      if (token === undefined) return undefined;
      const verdict = await prove(target, { token, origin });
      if (verdict === 'refused') continue;
      // A token without a verdict is used now, and asked for again later.
      if (verdict === 'accepted') await secrets.store(keyOf(target), token);
      return { token, origin };
    }
  }
  /**
   * Whether a token can be sent. A token in the secret storage needs no consent, because the user has entered it for this
   * address.
   */
  async function mayBeSent({ consent, token, origin }: Target, asks: 'asks' | 'quiet'): Promise<boolean> {
    if (consent === undefined || token.kind === 'stored' || consents.has(consent)) return true;
    if (asks === 'quiet') return false;
    const yes = l10n.t('Send the Token');
    const answer = await window.showWarningMessage(
      l10n.t('Send a token to {0}?', consent.origin),
      { modal: true, detail: detailsOf(consent, origin) },
      yes,
    );
    if (answer !== yes) return false;
    await consents.add(consent);
    return true;
  }
  return {
    async of(target, asks) {
      if (!(await mayBeSent(target, asks))) return undefined;
      const { token } = target;
      switch (token.kind) {
        case 'local':
          return { token: await local(), origin: t('the local service') };
        case 'variable':
          return {
            token: process.env[token.name] ?? readEnvFile(token.envFile)[token.name],
            origin: t('the variable {0}', token.name),
          };
        case 'written':
          return { token: token.value, origin: token.file };
        case 'stored': {
          const stored = await secrets.get(keyOf(target));
          return stored !== undefined || asks === 'quiet'
            ? { token: stored, origin }
            : askAgain(target, 'wanted');
        }
      }
    },
    askAgain,
  };
}

async function typeToken({ name, url = '' }: Target, isRefused: boolean): Promise<string | undefined> {
  const token = await window.showInputBox({
    title: l10n.t('Token for {0}', name),
    prompt: isRefused
      ? l10n.t('{0} does not accept that token. Give one of `api.tokens` of its service config.', url)
      : l10n.t('One of `api.tokens` of the service at {0}. It is kept in the secret storage.', url),
    password: true,
    ignoreFocusOut: true,
  });
  return token?.trim() || undefined;
}

function detailsOf({ isForeign, variables }: Consent, file: string): string {
  return [
    ...(isForeign
      ? [l10n.t('A file of this workspace ({0}) names this address, and it is not on this machine.', file)]
      : []),
    ...(variables.length > 0
      ? [
          l10n.t(
            'The file {0} takes a value from the variable {1}, which may be a secret of another program.',
            file,
            variables.join(', '),
          ),
        ]
      : []),
  ].join('\n\n');
}

/** Returns the key of a token: the address, because a file could use the same name for another address. */
function keyOf({ url = '' }: Target): string {
  return `token:${URL.canParse(url) ? new URL(url).origin : url}`;
}
