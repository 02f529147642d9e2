import { ApiFailure } from '../../api/failure.ts';
import { t } from '../../l10n.ts';
import type { ClientKey } from '../../project/clientToken.ts';
import type { Consent } from '../../project/trust.ts';

/** A service for deploys, and the source of its token. */
export interface Target {
  /** The id, which stays the same across sessions. */
  readonly id: string;
  readonly name: string;
  readonly kind: 'local' | 'remote';
  /** Absent while the local service is not running. */
  readonly url?: string;
  readonly token: TokenSource;
  /** The consent that is needed before a token from workspace files is sent. */
  readonly consent?: Consent;
  /** The key for signing client tokens, if the config of the service is in the workspace. */
  readonly clientKey?: ClientKey;
  /** The file with the sync config, if the service config names one. Then the service accepts no deploys. */
  readonly loads?: string;
  /** A file with certificates to trust. */
  readonly ca?: string;
  /** The place that names the target, for example `settings` or `powersync/cli.yaml`. */
  readonly origin: string;
}

export type TokenSource =
  /** A token in the editor's secret storage, stored for the origin of the address. Another address never gets it. */
  | { readonly kind: 'stored' }
  | {
      readonly kind: 'variable';
      readonly name: string;
      /** The absolute path of the file that defines the variable, if it is not in the environment. */
      readonly envFile?: string;
    }
  /** A token that is written in a file of the workspace. */
  | { readonly kind: 'written'; readonly value: string; readonly file: string }
  | { readonly kind: 'local' };

/** Returns the address. Throws while the local service is not running. */
export function requireUrl({ url }: Target): string {
  if (url !== undefined) return url;
  throw new ApiFailure('unreachable', t('The local service is not running. Start it first.'));
}
