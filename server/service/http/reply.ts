/** Answers as bytes. */
import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { errorBody, type ServiceError } from '../ground/errors.ts';
import type { Reply } from './route.ts';

export function writeReply(response: ServerResponse, reply: Reply): void {
  if ('written' in reply) return;
  const value = 'data' in reply ? { data: reply.data } : reply.plain;
  if ('headers' in reply)
    for (const [name, text] of Object.entries(reply.headers ?? {})) response.setHeader(name, text);
  writeJson(response, reply.status ?? 200, value, reply.pretty === true ? 2 : 0);
}

export function writeError(response: ServerResponse, error: ServiceError): void {
  writeJson(response, error.status, errorBody(error), 0);
}

/** On a socket that no response belongs to, or not any more: it ends with this answer. */
export function endWithError(socket: Duplex, error: ServiceError): void {
  const body = JSON.stringify(errorBody(error));
  const head = [
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
}

function writeJson(response: ServerResponse, status: number, value: unknown, indent: number): void {
  // Pretty answers are read in terminals, where a line should end.
  const text = JSON.stringify(value, null, indent) + (indent > 0 ? '\n' : '');
  response
    .writeHead(status, {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': Buffer.byteLength(text),
    })
    .end(text);
}
