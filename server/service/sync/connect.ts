/** Prepares a connection from a verified user and the body of a request, for both transports. */

import { EvaluationFailure } from '../../engine/plan/values/failure.ts';
import { isJsonObject, type JsonObject, readJson } from '../../engine/plan/values/json.ts';
import { ServiceError } from '../ground/errors.ts';
import type { User } from '../http/route.ts';
import type { ServedConfig } from './buckets.ts';
import { readStreamRequest, requestWithClaims } from './request.ts';
import type { StreamConnection } from './stream.ts';

interface ConnectCall {
  readonly user: User;
  /** The body, which was found to have no problems. Its numbers are as they were written. */
  readonly body: JsonObject;
  readonly served: ServedConfig | undefined;
}

export function connect({
  user,
  body,
  served,
}: ConnectCall): Pick<StreamConnection, 'user' | 'served' | 'request' | 'sync'> {
  if (served === undefined) throw new ServiceError('SVC_S2302', notActive);
  const request = readStreamRequest(body);
  return { user, served, request, sync: requestWithClaims(request, user) };
}

const notActive = 'Deploy a sync config, or wait until the first one has copied its tables.';

/**
 * Parses the body. A text that was accepted as JSON before may still be refused here, because it is nested too deeply or has a
 * duplicate key.
 */
export function readRequestBody(text: string): JsonObject {
  if (text === '') return {};
  try {
    const json = readJson(text);
    return isJsonObject(json) ? json : {};
  } catch (error) {
    if (!(error instanceof EvaluationFailure)) throw error;
    const details =
      'The body is not JSON, is nested too deeply, or contains one key with two different values.';
    throw new ServiceError('SVC_S2001', details, { cause: error });
  }
}
