/**
 * The sessions of the console in browsers. A link signs in once, with a code that is valid for some minutes. From then on, two
 * secrets together replace the token of an admin: a cookie that no script can read, and the secret of the page, which the page
 * sends in a header. Both are required, because browsers send the cookie to every program that listens on the same host. Sessions
 * are not stored, so they end with the process.
 */
import { createHash, randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { ServiceError } from '../ground/errors.ts';
import type { Clock } from '../ground/world.ts';
import { type ConsoleHosts, refusalOf } from './hosts.ts';

/** The lifetimes of codes and sessions in milliseconds. */
const lifetimes = { code: 15 * 60_000, session: 12 * 3_600_000 };
/** The maximum number of codes, and of sessions. When it is reached, a new one replaces the oldest. */
const most = 100;
/** The length of a secret in bytes. */
const secretLength = 24;

export interface Sessions {
  /** Creates the code of a link. */
  readonly makeCode: () => { readonly code: string; readonly expiresAt: number };
  /** Fails with status 401 if the code is not valid. Does not use up the code. */
  readonly checkCode: (authorization: string | undefined) => void;
  /** Signs in and uses up the code. */
  readonly signIn: (authorization: string | undefined, request: ConsoleRequest) => SignedIn;
  /** Whether a page of this console sent the request, in a valid session. */
  readonly isSignedIn: (request: ConsoleRequest) => boolean;
}

type ConsoleRequest = Pick<IncomingMessage, 'headers' | 'method'>;

interface SignedIn {
  /** The value of `Set-Cookie`. */
  readonly cookie: string;
  /** The secret of the page. */
  readonly secret: string;
}

type Now = Pick<Clock, 'now'>;

export function openSessions(clock: Now, { foreignName }: ConsoleHosts): Sessions {
  const codes = openSecrets<true>(lifetimes.code, clock);
  /** The digests of the cookies, by the secrets of the pages. */
  const sessions = openSecrets<string>(lifetimes.session, clock);
  const checkCode = (authorization: string | undefined): string => {
    const code = codeIn(authorization);
    if (code !== undefined && codes.find(code)) return code;
    throw new ServiceError(
      'SVC_S2108',
      'A link works once, and only for 15 minutes. `headwater console` prints another one.',
    );
  };
  return {
    makeCode: () => {
      const { secret, expiresAt } = codes.make(true);
      return { code: secret, expiresAt };
    },
    checkCode,
    signIn: (authorization, request) => {
      const foreign = foreignName(request);
      if (foreign !== undefined) throw refusalOf(foreign);
      codes.forget(checkCode(authorization));
      const cookie = newSecret();
      return { cookie: cookieFor(request, cookie), secret: sessions.make(digestOf(cookie)).secret };
    },
    isSignedIn: (request) => {
      if (!comesFromPage(request) || foreignName(request) !== undefined) return false;
      const cookie = sessions.find(String(request.headers['x-headwater-console'] ?? ''));
      return cookie !== undefined && cookiesIn(request).some((each) => digestOf(each) === cookie);
    },
  };
}

interface Secrets<Value> {
  make(value: Value): { readonly secret: string; readonly expiresAt: number };
  /** Returns undefined if the secret has expired. */
  find(secret: string): Value | undefined;
  forget(secret: string): void;
}

/** Stores only digests, so that the duration of a lookup does not reveal how much of a guess was right. */
function openSecrets<Value>(lifetime: number, clock: Now): Secrets<Value> {
  const kept = new Map<string, { readonly value: Value; readonly expiresAt: number }>();
  return {
    make: (value) => {
      for (const [digest, { expiresAt }] of kept)
        if (expiresAt <= clock.now() || kept.size >= most) kept.delete(digest);
      const secret = newSecret();
      const expiresAt = clock.now() + lifetime;
      kept.set(digestOf(secret), { value, expiresAt });
      return { secret, expiresAt };
    },
    find: (secret) => {
      const found = kept.get(digestOf(secret));
      return found !== undefined && found.expiresAt > clock.now() ? found.value : undefined;
    },
    forget: (secret) => void kept.delete(digestOf(secret)),
  };
}

function newSecret(): string {
  return randomBytes(secretLength).toString('base64url');
}

function digestOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}

function codeIn(authorization: string | undefined): string | undefined {
  return /^Link ([\w-]+)$/.exec(authorization ?? '')?.[1];
}

/** Whether a request comes from the page, as far as browsers report it: with every POST, and always in secure contexts. */
function comesFromPage({ headers, method }: ConsoleRequest): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin') return false;
  return headers.origin !== undefined || method === 'GET' || method === 'HEAD';
}

function cookieFor(request: ConsoleRequest, value: string): string {
  const attributes = ['Path=/api/', 'HttpOnly', 'SameSite=Strict', `Max-Age=${lifetimes.session / 1000}`];
  if (request.headers.origin?.startsWith('https://')) attributes.push('Secure');
  return [`${cookieName(request)}=${value}`, ...attributes].join('; ');
}

/** Returns the name of the cookie. It contains the port, because browsers send the cookies of a host to all services on it. */
function cookieName({ headers }: ConsoleRequest): string {
  const port = /:(\d+)$/.exec(headers.host ?? '')?.[1] ?? '80';
  return `headwater-console-${port}`;
}

/**
 * Returns all values of our cookie. Another program on the same host can set a cookie with the same name, which must not hide
 * ours.
 */
function cookiesIn(request: ConsoleRequest): readonly string[] {
  const start = `${cookieName(request)}=`;
  const pairs = (request.headers.cookie ?? '').split(';').map((pair) => pair.trim());
  return pairs.filter((pair) => pair.startsWith(start)).map((pair) => pair.slice(start.length));
}
