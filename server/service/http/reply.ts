/** Writes answers as bytes. */
import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { errorBody, type ServiceError } from '../ground/errors.ts';
import type { Head, Reply } from './route.ts';

type PlainReply = Exclude<Reply, { readonly written: true } | { readonly begin: unknown }>;

export function writeReply(response: ServerResponse, reply: PlainReply, head: Head): void {
  const value = 'data' in reply ? { data: reply.data } : reply.plain;
  const own = 'headers' in reply ? reply.headers : undefined;
  const indent = reply.pretty === true ? 2 : 0;
  writeJson(response, { status: reply.status ?? 200, head: { ...head, ...own } }, value, indent);
}

export function writeError(response: ServerResponse, error: ServiceError, head: Head): void {
  writeJson(response, { status: error.status, head }, errorBody(error), 0);
}

/** Sends this answer to a socket that has no response object, or no longer has one, and closes the socket. */
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

function writeJson(
  response: ServerResponse,
  { status, head }: { readonly status: number; readonly head: Head },
  value: unknown,
  indent: number,
): void {
  // Pretty answers are read in terminals, so they end with a line break.
  const text = JSON.stringify(value, null, indent) + (indent > 0 ? '\n' : '');
  response
    .writeHead(status, {
      ...head,
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': Buffer.byteLength(text),
    })
    .end(text);
}
