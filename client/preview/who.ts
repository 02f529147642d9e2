/** Reads the user of a preview as people type it. */
import { t } from '../l10n.ts';
import type { ClientClaims } from '../project/clientToken.ts';

export type Who =
  /** The token of an app, for any service that accepts it. */
  | { readonly kind: 'token'; readonly token: string; readonly user: string }
  /** The claims of a token that has to be signed. */
  | { readonly kind: 'claims'; readonly claims: ClientClaims };

/** The value that was read, or a sentence with the reason why it cannot be read. */
export type ReadResult<T> =
  | { readonly kind: 'read'; readonly value: T }
  | { readonly kind: 'wrong'; readonly why: string };

/** Reads a token, claims as JSON, or the id of a user. */
export function readWho(text: string): ReadResult<Who> {
  const given = text.trim();
  if (given === '') return wrong(t('Enter the id of a user, claims as JSON, or a token.'));
  const claims = claimsOfToken(given);
  if (claims) {
    const { sub } = claims;
    return read({ kind: 'token', token: given, user: typeof sub === 'string' ? sub : '?' });
  }
  if (!given.startsWith('{')) return read({ kind: 'claims', claims: { sub: given } });
  const object = objectIn(given);
  if (object === undefined)
    return wrong(t('Claims must be a JSON object. Put numbers that are too large in quotes.'));
  const { sub } = object;
  if (typeof sub !== 'string' || sub === '')
    return wrong(t('The claims must contain the id of the user: {0}', '"sub": "user-1"'));
  return read({ kind: 'claims', claims: { ...object, sub } });
}

export function userOf(who: Who): string {
  return who.kind === 'token' ? who.user : who.claims.sub;
}

export function read<T>(value: T): ReadResult<T> {
  return { kind: 'read', value };
}

export function wrong(why: string): { readonly kind: 'wrong'; readonly why: string } {
  return { kind: 'wrong', why };
}

/** Returns the claims of a token. Undefined if the text is not a token. The service verifies the signature. */
function claimsOfToken(text: string): Readonly<Record<string, unknown>> | undefined {
  const parts = text.split('.');
  if (parts.length !== 3 || parts.some((part) => !/^[\w-]+$/.test(part))) return undefined;
  const [header, claims] = parts.map((part) => objectIn(Buffer.from(part, 'base64url').toString()));
  return header && 'alg' in header ? claims : undefined;
}

export function objectIn(json: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(json, refuseInexact);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Readonly<Record<string, unknown>>)
      : undefined;
  } catch {
    return undefined;
  }
}

/** Refuses an integer that would lose digits. */
function refuseInexact(_: string, value: unknown): unknown {
  if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value))
    throw new RangeError();
  return value;
}
