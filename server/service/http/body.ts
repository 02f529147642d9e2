/** Reads the body of a request as parameters, within limits. */
import type { IncomingMessage } from 'node:http';
import { ServiceError } from '../ground/errors.ts';
import { largeSteps } from '../ground/largeSteps.ts';
import type { Semaphore } from '../ground/semaphore.ts';
import { startAlone } from '../ground/unattended.ts';
import type { Clock } from '../ground/world.ts';
import { hasBody } from './pieces.ts';
import type { Parameters, Route } from './route.ts';
import { hasMoreJsonValues } from './valueCount.ts';

const mebibyte = 1024 * 1024;

type MediaType = 'json' | 'yaml' | 'text';

/** The maximum sizes in bytes. The reference service reads YAML without a limit, but no hand-written sync config is larger. */
const limits: Readonly<Record<MediaType, number>> = { json: mebibyte, yaml: 5 * mebibyte, text: mebibyte };

/** The maximum number of values in a JSON body. It is enough for 13,000 buckets of a client, which hardly fit into a mebibyte. */
export const mostValues = 40_000;

/**
 * The number of bytes of a too large body that are still read and discarded, because a client whose connection is closed while it
 * sends never sees the answer.
 */
const mostDiscarded = 64 * mebibyte;

const mediaTypes: Readonly<Record<string, MediaType>> = {
  'application/json': 'json',
  'application/yaml': 'yaml',
  'text/plain': 'text',
};

/**
 * The number of bytes that are read if a request was refused before its body was read. It is a bit more than the largest accepted
 * body.
 */
const mostUnread = 6 * mebibyte;
/** The longest time for reading the body of a refused request, in milliseconds. */
const longestUnread = 2_000;

export interface Body {
  readonly text: string;
  readonly parameters: Parameters;
}

export const noBody: Body = { text: '', parameters: {} };

export async function readBody(request: IncomingMessage, accepted: Route['body']): Promise<Body> {
  if (accepted === 'none') return noBody;
  const type = typeOf(request, accepted);
  if (type === undefined) return noBody;
  const bytes = await readBytes(request, limits[type]);
  await largeSteps.start(bytes.length);
  if (type === 'json' && hasMoreJsonValues(bytes, mostValues)) {
    free(bytes);
    throw refusal(413, `The body contains more than ${mostValues} values, which is the limit.`);
  }
  const text = decode(bytes);
  free(bytes);
  await largeSteps.next(text.length);
  return { text, parameters: parametersIn(text, type) };
}

/** The maximum number of bodies that are only read to be discarded, of all refused requests together. */
export const mostRefusedBodies = 8;

/**
 * Reads and discards the rest of a body, because a client whose connection is closed while it sends would not see the answer. If
 * there are too many such clients, the connection ends with the answer instead.
 */
export function discardRest(
  request: IncomingMessage,
  discarding: Pick<Semaphore, 'tryEnter'>,
  clock: Pick<Clock, 'sleep'>,
): void {
  const { socket } = request;
  if (request.complete || socket.destroyed) return;
  const leave = discarding.tryEnter();
  if (leave === undefined) {
    const chunk: Buffer | null = request.read();
    if (chunk !== null) free(chunk);
    // Stops reading, which has already begun to read more.
    socket.pause();
    socket.destroySoon();
    return;
  }
  request.once('close', leave);
  let size = 0;
  const over = new AbortController();
  const stop = (): void => over.abort();
  const cutOff = (): void => {
    if (!over.signal.aborted) socket.destroy();
  };
  request.once('end', stop).once('close', stop);
  request.on('data', (chunk: Buffer) => {
    size += chunk.length;
    free(chunk);
    if (size > mostUnread) cutOff();
  });
  startAlone('Discarding a body', async () => {
    await clock.sleep(longestUnread, over.signal);
    cutOff();
  });
}

function parametersIn(text: string, type: MediaType): Parameters {
  switch (type) {
    case 'yaml':
      return { content: text };
    case 'json':
      return readJson(text);
    case 'text':
      return {};
  }
}

/** Returns undefined if there is no body, because then no type is needed. */
function typeOf(request: IncomingMessage, accepted: 'json' | 'yaml'): MediaType | undefined {
  const header = request.headers['content-type'];
  if (header === undefined && !hasBody(request)) return undefined;
  const name = (header ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const type = Object.hasOwn(mediaTypes, name) ? mediaTypes[name] : undefined;
  if (type !== undefined && (type !== 'yaml' || accepted === 'yaml')) return type;
  const wanted = accepted === 'yaml' ? 'application/yaml or application/json' : 'application/json';
  throw refusal(415, `The Content-Type must be ${wanted}.`);
}

/** Stops reading from the socket until the body is needed. */
export function holdBody(request: IncomingMessage): void {
  if (hasBody(request) && !request.complete) request.socket.pause();
}

async function readBytes(request: IncomingMessage, limit: number): Promise<Buffer> {
  const announced = Number(request.headers['content-length'] ?? 0);
  const chunks: Buffer[] = [];
  let size = 0;
  if (announced <= mostDiscarded)
    // The request is not destroyed when the loop ends early, because the answer still has to be sent.
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += chunk.length;
      chunks.push(chunk);
      if (size > limit) for (const each of chunks.splice(0)) free(each);
      if (size > mostDiscarded) break;
    }
  if (size > limit || announced > limit)
    throw refusal(413, `The body is larger than ${limit / mebibyte} MiB, which is the limit.`);
  const bytes = Buffer.concat(chunks);
  for (const chunk of chunks) free(chunk);
  return bytes;
}

/** Frees the bytes now, because the garbage collector hardly notices them and would let 150 MB of them accumulate. */
function free(bytes: Buffer): void {
  // Small buffers share their memory with others, so they cannot be freed.
  if (bytes.byteLength === bytes.buffer.byteLength) (bytes.buffer as Transferable).transfer(0);
}

/** The method of ES2024 that frees memory. */
interface Transferable extends ArrayBuffer {
  transfer(length: number): ArrayBuffer;
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw refusal(400, 'The body is not UTF-8.');
  }
}

/** Reads JSON. Only an object has parameters. */
function readJson(text: string): Parameters {
  if (text === '') throw refusal(400, 'The body is empty, though the Content-Type is application/json.');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw refusal(400, 'The body is not JSON, though the Content-Type is application/json.');
  }
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? (value as Parameters) : {};
}

function refusal(status: number, sentence: string): ServiceError {
  return new ServiceError('SVC_S2001', sentence, { status });
}
