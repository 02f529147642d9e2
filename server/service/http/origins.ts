/** Decides which web pages may call the service. */
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

/**
 * `any`: every page may call. Tokens are in a header, never in cookies, so the origin of a page proves nothing. `loopback`: only
 * pages of this machine may call, because the service accepts a secret from an example. That secret is public, so a page of any
 * site could use it.
 */
export type Origins = 'any' | 'loopback';

/** The prefix of the secrets in our examples. */
const published = 'only-for-this-example';

export function isPublished(secret: string | Uint8Array): boolean {
  return Buffer.from(secret as string)
    .toString('latin1')
    .startsWith(published);
}

/**
 * Returns the value of `Access-Control-Allow-Origin` for a page of this origin. Undefined: the page may not call. This rule
 * applies to calls, preflights and WebSockets (for which browsers send no preflight).
 */
export function allowedOrigin(origin: string, origins: Origins): string | undefined {
  if (origins === 'any') return '*';
  return isLoopbackOrigin(origin) ? origin : undefined;
}

/** Whether the origin of a request is allowed. Programs and React Native send no origin. */
export function isAllowedOrigin({ headers }: Pick<IncomingMessage, 'headers'>, origins: Origins): boolean {
  if (headers.origin !== undefined && allowedOrigin(headers.origin, origins) === undefined) return false;
  if (origins === 'any') return true;
  // A page can point its own name at this machine's address (DNS rebinding), and then the browser asks for no permission.
  return headers.host === undefined || !isPublicName(hostnameOf(`http://${headers.host}`) ?? '');
}

/** Whether the request comes from this machine itself, not through a proxy and not from a page of a site. */
export function isLocal({ headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>): boolean {
  const isForwarded = Object.keys(headers).some((name) => ofProxies.test(name));
  return (
    !isForwarded && isLoopbackAddress(socket.remoteAddress ?? '') && isAllowedOrigin({ headers }, 'loopback')
  );
}

/** Headers that only proxies add. */
const ofProxies = /^(?:x-forwarded-\w+|forwarded|via|x-real-ip)$/;

function isLoopbackOrigin(origin: string): boolean {
  const hostname = hostnameOf(origin);
  return hostname !== undefined && isLoopbackName(hostname);
}

export function isLoopbackName(hostname: string): boolean {
  return hostname === 'localhost' || hostname.endsWith('.localhost') || isLoopbackAddress(hostname);
}

function isLoopbackAddress(address: string): boolean {
  const plain = address.replace(/^\[|\]$/g, '').replace(/^::ffff:/, '');
  return plain === '::1' || (isIP(plain) === 4 && plain.startsWith('127.'));
}

/** Whether anyone can register the name. Names without a dot belong to containers and machines nearby. */
function isPublicName(hostname: string): boolean {
  if (isLoopbackName(hostname) || isIP(hostname.replace(/^\[|\]$/g, '')) !== 0) return false;
  return hostname.replace(/\.$/, '').includes('.');
}

/** Returns undefined for `null`, which sandboxed pages send, and for anything else that is not a URL. */
function hostnameOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).hostname : undefined;
}
