import { ApiFailure } from '../../api/failure.ts';
import { t } from '../../l10n.ts';
import type { ClientKey } from '../../project/clientToken.ts';
import type { Consent } from '../../project/trust.ts';

/** A service that can be deployed to, and where its token comes from. */
export interface Target {
  /** Stays the same across sessions. */
  readonly id: string;
  readonly name: string;
  readonly kind: 'local' | 'remote';
  /** Absent while the local service does not run. */
  readonly url?: string;
  readonly token: TokenSource;
  /** The agreement that is needed before a token is sent that files of the workspace name. */
  readonly consent?: Consent;
  /** The key to sign tokens of clients with, if the config of the service is in the workspace. */
  readonly clientKey?: ClientKey;
  /** The file with its sync config, as its own config names it: then it takes no deploys. */
  readonly loads?: string;
  /** A file with certificates to trust. */
  readonly ca?: string;
  /** The place that names it: `settings`, `powersync/cli.yaml`. */
  readonly origin: string;
}

export type TokenSource =
  /** A token in the editor's secret storage, stored for the origin of the address. Another address never gets it. */
  | { readonly kind: 'stored' }
  | {
      readonly kind: 'variable';
      readonly name: string;
      /** Absolute: where it is defined, unless it is in the environment. */
      readonly envFile?: string;
    }
  /** Written in a file of the workspace. */
  | { readonly kind: 'written'; readonly value: string; readonly file: string }
  | { readonly kind: 'local' };

/** Throws while the local service does not run. */
export function requireUrl({ url }: Target): string {
  if (url !== undefined) return url;
  throw new ApiFailure('unreachable', t('The local service is not running. Start it first.'));
}
