/**
 * Who may use the console in a browser. A link signs in once, with a code that works for some minutes; then a
 * cookie that no script can read takes the place of an admin's token. None of it is stored: it ends with the
 * process.
 */
import { createHash, randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { ServiceError } from '../ground/errors.ts';
import type { Clock } from '../ground/world.ts';

/** Milliseconds. */
const lifetimes = { code: 15 * 60_000, session: 12 * 3_600_000 };
/** Of codes and of sessions: the oldest one is dropped for another. */
const most = 100;
/** Bytes of chance. */
const secretLength = 24;

export interface Sessions {
  /** For a link. */
  readonly makeCode: () => { readonly code: string; readonly expiresAt: number };
  /** Fails with status 401 if the code is not good; uses nothing up. */
  readonly checkCode: (authorization: string | undefined) => void;
  /** Uses the code up; returns a cookie for the answer. */
  readonly signIn: (authorization: string | undefined, request: Pick<IncomingMessage, 'headers'>) => string;
  /** Whether this request comes from the console of this service, with a session that is good. */
  readonly isSignedIn: (request: Pick<IncomingMessage, 'headers' | 'method'>) => boolean;
}

type Now = Pick<Clock, 'now'>;

export function openSessions(clock: Now): Sessions {
  const codes = openSecrets(lifetimes.code, clock);
  const sessions = openSecrets(lifetimes.session, clock);
  const checkCode = (authorization: string | undefined): string => {
    const code = codeIn(authorization);
    if (code !== undefined && codes.has(code)) return code;
    throw new ServiceError(
      'SVC_S2108',
      'A link signs in once, and for 15 minutes: `headwater console` prints another one.',
    );
  };
  return {
    makeCode: () => {
      const { secret, expiresAt } = codes.make();
      return { code: secret, expiresAt };
    },
    checkCode,
    signIn: (authorization, request) => {
      codes.forget(checkCode(authorization));
      const { secret } = sessions.make();
      const attributes = `Path=/api/; HttpOnly; SameSite=Strict; Max-Age=${lifetimes.session / 1000}`;
      return `${cookieName(request)}=${secret}; ${attributes}`;
    },
    isSignedIn: (request) => {
      if (!comesFromConsole(request)) return false;
      const cookie = cookieIn(request);
      return cookie !== undefined && sessions.has(cookie);
    },
  };
}

interface Secrets {
  make(): { readonly secret: string; readonly expiresAt: number };
  has(secret: string): boolean;
  forget(secret: string): void;
}

/** Kept as digests: looking one up takes no time that tells how much of a guess was right. */
function openSecrets(lifetime: number, clock: Now): Secrets {
  const ends = new Map<string, number>();
  return {
    make: () => {
      for (const [digest, end] of ends) if (end <= clock.now() || ends.size >= most) ends.delete(digest);
      const secret = randomBytes(secretLength).toString('base64url');
      const expiresAt = clock.now() + lifetime;
      ends.set(digestOf(secret), expiresAt);
      return { secret, expiresAt };
    },
    has: (secret) => (ends.get(digestOf(secret)) ?? 0) > clock.now(),
    forget: (secret) => void ends.delete(digestOf(secret)),
  };
}

function digestOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}

function codeIn(authorization: string | undefined): string | undefined {
  return /^Link ([\w-]+)$/.exec(authorization ?? '')?.[1];
}

/**
 * A cookie goes wherever the browser sends it, so the request has to show that the page is ours: by a header that pages of
 * other sites need leave for, and by an origin that is the service itself.
 */
function comesFromConsole({ headers, method }: Pick<IncomingMessage, 'headers' | 'method'>): boolean {
  if (headers['x-headwater-console'] !== '1') return false;
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin') return false;
  // Browsers send none with GET to the page's own service.
  if (headers.origin === undefined) return method === 'GET' || method === 'HEAD';
  return [`http://${headers.host}`, `https://${headers.host}`].includes(headers.origin);
}

/** A browser sends the cookies of all services of a machine to each of them: theirs differ by their ports. */
function cookieName({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const port = /:(\d+)$/.exec(headers.host ?? '')?.[1] ?? '80';
  return `headwater-console-${port}`;
}

function cookieIn(request: Pick<IncomingMessage, 'headers'>): string | undefined {
  const name = cookieName(request);
  const pairs = (request.headers.cookie ?? '').split(';').map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
}
