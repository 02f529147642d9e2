/**
 * The sessions of the console in browsers. A link signs in once, with a code that works for some minutes. From then on, two secrets
 * together take the place of an admin's token: a cookie that no script can read, and the secret of the page, which it sends in a
 * header. Each of them alone opens nothing, because browsers send the cookie to every program that listens on the same host.
 * None of this is stored: it ends with the process.
 */
import { createHash, randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { ServiceError } from '../ground/errors.ts';
import type { Clock } from '../ground/world.ts';
import { type ConsoleHosts, refusalOf } from './hosts.ts';

/** The lifetimes of codes and sessions in milliseconds. */
const lifetimes = { code: 15 * 60_000, session: 12 * 3_600_000 };
/** How many codes and how many sessions exist at a time. A new one replaces the oldest. */
const most = 100;
/** The length of a secret in bytes. */
const secretLength = 24;

export interface Sessions {
  /** Creates the code of a link. */
  readonly makeCode: () => { readonly code: string; readonly expiresAt: number };
  /** Fails with status 401 if the code is not valid. The code stays valid. */
  readonly checkCode: (authorization: string | undefined) => void;
  /** Uses the code up. */
  readonly signIn: (authorization: string | undefined, request: ConsoleRequest) => SignedIn;
  /** Whether a page of this console sent the request, in a session that is valid. */
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
  /** The digests of the cookies, by the secret of the page. */
  const sessions = openSecrets<string>(lifetimes.session, clock);
  const checkCode = (authorization: string | undefined): string => {
    const code = codeIn(authorization);
    if (code !== undefined && codes.find(code)) return code;
    throw new ServiceError(
      'SVC_S2108',
      'A link signs in once, and for 15 minutes: `headwater console` prints another one.',
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
  /** Undefined once the secret has expired. */
  find(secret: string): Value | undefined;
  forget(secret: string): void;
}

/** Keeps digests, so that the time of a look-up does not reveal how much of a guess was right. */
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

/** Whether a request comes from the page, as far as browsers say so: with every POST, and in secure contexts always. */
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

/** Contains the port, because browsers send the cookies of all services of a host to each of them. */
function cookieName({ headers }: ConsoleRequest): string {
  const port = /:(\d+)$/.exec(headers.host ?? '')?.[1] ?? '80';
  return `headwater-console-${port}`;
}

/** All values of our cookie: another program on the same host can set one of the same name, which must not shut ours out. */
function cookiesIn(request: ConsoleRequest): readonly string[] {
  const start = `${cookieName(request)}=`;
  const pairs = (request.headers.cookie ?? '').split(';').map((pair) => pair.trim());
  return pairs.filter((pair) => pair.startsWith(start)).map((pair) => pair.slice(start.length));
}
