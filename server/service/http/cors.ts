/** Web apps anywhere may call the service: tokens are in a header, never in cookies, so the origin proves nothing. */
import type { IncomingMessage, ServerResponse } from 'node:http';

/** On every answer, errors included: a browser hides the rest, and an SDK could not see a 401. */
export function putCorsHeaders(response: ServerResponse): void {
  response.setHeader('Access-Control-Allow-Origin', '*');
  response.setHeader('Access-Control-Expose-Headers', 'Content-Type');
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
