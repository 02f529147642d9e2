/** The address of a service: `http://127.0.0.1:8080`, optionally with a path prefix. */

import { t } from '../l10n.ts';
import { ApiFailure } from './failure.ts';

export interface Address {
  /** Scheme, host and port. They identify a service, so tokens are stored under them. */
  readonly origin: string;
  /** The host for messages. Like `shownOrigin`, it contains the name of the service if there is one. */
  readonly host: string;
  readonly shownOrigin: string;
  readonly loopback: boolean;
  /** The path prefix without a final slash; empty for most services. */
  readonly prefix: string;
}

export function readAddress(text: string): Address {
  const url = parseUrl(text.trim());
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new ApiFailure(
      'unreachable',
      t(
        '`{0}` is not the address of a service: it must begin with http:// or https://.',
        withoutCredentials(text),
      ),
    );
  if (url.username !== '' || url.password !== '')
    throw new ApiFailure(
      'unreachable',
      t('The address of {0} contains a user or a password. Remove them: only a token is used.', url.host),
    );
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return {
    origin: url.origin,
    host: url.host,
    shownOrigin: url.origin,
    loopback: isLoopback(host),
    prefix: url.pathname.replace(/\/+$/, ''),
  };
}

/** Parses a URL without `URL.parse`, which the oldest supported VS Code does not have. */
export function parseUrl(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}

function isLoopback(host: string): boolean {
  return (
    host === 'localhost' || host.endsWith('.localhost') || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host)
  );
}

function withoutCredentials(text: string): string {
  return text.replace(/\/\/[^/@]*@/, '//');
}
