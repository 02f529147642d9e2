/** Answers browsers that ask whether a page may call the service: see `origins.ts`. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { allowedOrigin, type Origins } from './origins.ts';
import type { Head } from './route.ts';

/**
 * Returns the headers for every answer, including errors. Without them, a browser would hide the answer, and an SDK could not see
 * a 401.
 */
export function corsHead({ headers }: IncomingMessage, origins: Origins): Head {
  const allowed = allowedOrigin(headers.origin ?? '', origins);
  return {
    'Access-Control-Expose-Headers': 'Content-Type',
    ...(allowed !== '*' && { Vary: 'Origin' }),
    ...(allowed !== undefined && { 'Access-Control-Allow-Origin': allowed }),
  };
}

/** Answers a preflight request for any path, known or not. */
export function answerOptions({ headers }: IncomingMessage, response: ServerResponse, head: Head): void {
  if (headers.origin === undefined || headers['access-control-request-method'] === undefined) {
    response.writeHead(400, { ...head, 'Content-Type': 'text/plain' }).end('Invalid Preflight Request');
    return;
  }
  response
    .writeHead(204, {
      ...head,
      'Access-Control-Allow-Methods': 'GET, HEAD, POST',
      'Access-Control-Allow-Headers': 'Content-Type, Authorization, User-Agent, X-User-Agent',
      'Access-Control-Max-Age': '3600',
    })
    .end();
}
