/**
 * Checks the names under which browsers show the console. A site can point its own name at this machine (DNS rebinding), and then
 * its pages count as pages of this service. So a name is accepted only if it belongs to this machine or is in `console.hosts`.
 */
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { ServiceError } from '../ground/errors.ts';
import { isLoopbackName } from '../http/origins.ts';

interface ConsoleAddresses {
  /** The address that the service listens on. */
  readonly host: string;
  /** `console.hosts` of the service config: `sync.example.com` or `sync.example.com:8443`. */
  readonly hosts: readonly string[];
}

type WithHeaders = Pick<IncomingMessage, 'headers'>;

/** Each function returns the name that is not allowed, in the form of `console.hosts`, or undefined if all names are allowed. */
export interface ConsoleHosts {
  /** Checks `Host`, for requests that any page or program may send. */
  readonly foreignHost: (request: WithHeaders) => string | undefined;
  /** Checks `Host` and `Origin`, for requests that only a page of the console sends. */
  readonly foreignName: (request: WithHeaders) => string | undefined;
}

interface Name {
  readonly hostname: string;
  /** The port. Empty for 80 and 443, because proxies add these ports and browsers omit them. */
  readonly port: string;
}

export function openConsoleHosts({ host, hosts }: ConsoleAddresses): ConsoleHosts {
  const listed = hosts.flatMap((each) => readName(each) ?? []);
  const own = readName(isIP(host) === 6 ? `[${host}]` : host)?.hostname;
  const listensOnAll = isIP(host) !== 0 && /^[0.:]+$/.test(host);
  const isOurs = ({ hostname, port }: Name): boolean =>
    isLoopbackName(hostname) ||
    hostname === own ||
    // A container does not know the addresses of its machine. An address is safe here, because a site can only use a name of its
    // own.
    (listensOnAll && isAddress(hostname)) ||
    listed.some((each) => each.hostname === hostname && ['', port].includes(each.port));

  const foreignHost: ConsoleHosts['foreignHost'] = ({ headers: { host: named = '' } }) => {
    const name = readName(named);
    return name !== undefined && isOurs(name) ? undefined : named;
  };
  return {
    foreignHost,
    foreignName: ({ headers }) => {
      const foreign = foreignHost({ headers });
      const { host: named = '', origin } = headers;
      // Browsers send no origin with a GET request to the service of the page.
      if (foreign !== undefined || origin === undefined) return foreign;
      const page = readName(origin.replace(/^https?:\/\//, ''));
      if (page === undefined) return origin;
      // A proxy may replace `Host` but keep `Origin`.
      const isAllowed = [readName(named), ...listed].some((each) => isSame(each, page));
      return isAllowed ? undefined : textOf(page);
    },
  };
}

/** @param name as returned by {@link ConsoleHosts} */
export function refusalOf(name: string): ServiceError {
  const shown = JSON.stringify(name.slice(0, 200));
  return new ServiceError(
    'SVC_S2109',
    `The console is not available at ${shown}. Open it at an address of the service, or add ${shown} to \`console.hosts\` in the service config.`,
  );
}

/** Returns undefined for a text that is not a name or an address, with or without a port. */
function readName(text: string): Name | undefined {
  if (text === '' || /[/?#@\\\s]/.test(text) || !URL.canParse(`http://${text}`)) return undefined;
  const { hostname, port } = new URL(`http://${text}`);
  return { hostname, port: port === '443' ? '' : port };
}

function textOf({ hostname, port }: Name): string {
  return port === '' ? hostname : `${hostname}:${port}`;
}

function isSame(one: Name | undefined, other: Name): boolean {
  return one?.hostname === other.hostname && one.port === other.port;
}

function isAddress(hostname: string): boolean {
  return isIP(hostname.replace(/^\[|\]$/g, '')) !== 0;
}
