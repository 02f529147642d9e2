/** What browsers ask before a page may call the service: see `origins.ts`. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { allowedOrigin, type Origins } from './origins.ts';

/** On every answer, errors included: a browser hides the rest, and an SDK could not see a 401. */
export function putCorsHeaders(
  { headers }: IncomingMessage,
  response: ServerResponse,
  origins: Origins,
): void {
  response.setHeader('Access-Control-Expose-Headers', 'Content-Type');
  const allowed = allowedOrigin(headers.origin ?? '', origins);
  if (allowed !== '*') response.setHeader('Vary', 'Origin');
  if (allowed !== undefined) response.setHeader('Access-Control-Allow-Origin', allowed);
}

/** Any path may be asked about, known or not. */
export function answerOptions({ headers }: IncomingMessage, response: ServerResponse): void {
  if (headers.origin === undefined || headers['access-control-request-method'] === undefined) {
    response.writeHead(400, { 'Content-Type': 'text/plain' }).end('Invalid Preflight Request');
    return;
  }
  response
    .writeHead(204, {
      'Access-Control-Allow-Methods': 'GET, HEAD, POST',
      'Access-Control-Allow-Headers': 'Content-Type, Authorization, User-Agent, X-User-Agent',
      'Access-Control-Max-Age': '3600',
    })
    .end();
}
