/** Checks the required claims of a token, after its signature was verified. */
import {
  isJsonObject,
  type Json,
  type JsonObject,
  readJson,
  writeJson,
} from '../../../engine/plan/values/json.ts';
import { ServiceError } from '../../ground/errors.ts';
import type { User } from '../route.ts';
import type { TokenRules } from './keys.ts';

/** The tolerated difference between the clocks of two machines, in seconds. */
const tolerance = 60;

/** @param now in seconds since 1970 */
export function readClaims(payload: Uint8Array, rules: TokenRules, now: number): User {
  const text = textOf(payload);
  const claims = objectIn(text);
  if (claims.sub === undefined) throw refusal('The token has no `sub`.');
  checkAudience(claims.aud, rules.audience);
  const issuedAt = timeIn(claims, 'iat');
  const expiresAt = timeIn(claims, 'exp');
  if (claims.nbf !== undefined && timeIn(claims, 'nbf') > now + tolerance)
    throw refusal('The token is not valid yet, according to its `nbf`.');
  // A token with a future `iat` could live for any time, because its lifetime begins there.
  if (issuedAt > now + tolerance) throw refusal('The token is from the future, according to its `iat`.');
  if (expiresAt < now - tolerance) throw new ServiceError('SVC_S2103', 'The time in `exp` has passed.');
  if (expiresAt - issuedAt > rules.longestLife)
    throw new ServiceError(
      'SVC_S2104',
      `From \`iat\` to \`exp\` may be at most ${rules.longestLife} seconds.`,
    );
  if (claims.parameters !== undefined && !isJsonObject(claims.parameters))
    throw refusal('The claim `parameters` must be an object.');
  return { id: textOfSub(claims.sub), claims: text, expiresAt };
}

function textOf(payload: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(payload);
  } catch {
    throw refusal('The payload of the token is not UTF-8.');
  }
}

function objectIn(text: string): JsonObject {
  let value: Json;
  try {
    value = readJson(text);
  } catch {
    throw refusal('The payload of the token is not JSON.');
  }
  if (!isJsonObject(value)) throw refusal('The payload of the token is not an object.');
  return value;
}

function timeIn(claims: JsonObject, name: 'iat' | 'exp' | 'nbf'): number {
  const time = claims[name];
  if (typeof time !== 'number' && typeof time !== 'bigint')
    throw refusal(`The token has no \`${name}\`, or it is not a number.`);
  const seconds = Number(time);
  if (!Number.isFinite(seconds)) throw refusal(`\`${name}\` of the token is too large to be a time.`);
  return seconds;
}

function checkAudience(claim: Json | undefined, accepted: readonly string[]): void {
  if (claim === undefined) throw new ServiceError('SVC_S2105', 'The token has no `aud`.');
  const audiences = Array.isArray(claim) ? claim : [claim];
  if (audiences.some((audience) => accepted.some((one) => one === audience))) return;
  const advice = accepted.length === 0 ? 'no audience is configured' : 'none of `aud` is accepted';
  throw new ServiceError(
    'SVC_S2105',
    `The token is for another service: ${advice} (\`client_auth.audience\`).`,
  );
}

function textOfSub(sub: Json): string {
  return typeof sub === 'object' ? writeJson(sub) : String(sub);
}

function refusal(sentence: string): ServiceError {
  return new ServiceError('SVC_S2101', sentence);
}
