/** Answers as bytes. */
import type { ServerResponse } from 'node:http';
import { errorBody, type ServiceError } from '../ground/errors.ts';
import type { Reply } from './route.ts';

export function writeReply(response: ServerResponse, reply: Reply): void {
  if ('written' in reply) return;
  const value = 'data' in reply ? { data: reply.data } : reply.plain;
  writeJson(response, reply.status ?? 200, value, reply.pretty === true ? 2 : 0);
}

export function writeError(response: ServerResponse, error: ServiceError): void {
  writeJson(response, error.status, errorBody(error), 0);
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
