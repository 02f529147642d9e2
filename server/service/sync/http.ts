/** The routes for clients: the stream over HTTP, and write checkpoints for their uploads. */
import type { IncomingMessage } from 'node:http';
import { ServiceError } from '../ground/errors.ts';
import { largeSteps } from '../ground/largeSteps.ts';
import type { LogPosition } from '../ground/logPosition.ts';
import { type Encoding, encodingFor } from '../http/compression.ts';
import type { Call, Head, Parameters, Route } from '../http/route.ts';
import { streamBody } from '../http/streamBody.ts';
import { streamFinisher, streamHead } from '../http/streamEnd.ts';
import { writeCheckpointKey } from '../storage/writeCheckpointKeys.ts';
import { type StreamType, streamTypeFor } from './accept.ts';
import type { ServedConfig } from './buckets.ts';
import { connect, readRequestBody } from './connect.ts';
import { bsonEncoder, type Encoder, jsonEncoder, nestedJsonEncoder } from './encode/encoder.ts';
import { periodOf } from './keepalive.ts';
import { problemsInLength, problemsInStreamRequest, type StreamRequest } from './request.ts';
import { runStream, type SyncParts } from './stream.ts';
import type { Positions } from './writeCheckpoints.ts';

export interface RouteParts extends SyncParts {
  readonly served: () => Promise<ServedConfig | undefined>;
  readonly source: () => Promise<Positions>;
}

export function syncRoutes(parts: RouteParts): readonly Route[] {
  const numbers = { access: 'user', group: 'checkpointing' } as const;
  const get = { ...numbers, method: 'GET', body: 'none', problemsIn: problemsInClientId } as const;
  return [
    {
      method: 'POST',
      path: '/sync/stream',
      access: 'user',
      group: 'stream',
      body: 'json',
      problemsIn: problemsInStreamRequest,
      answer: streamAnswer(parts),
    },
    { ...get, path: '/write-checkpoint2.json', answer: (call) => createWriteCheckpoint(parts, call) },
    { ...get, path: '/write-checkpoint.json', answer: (call) => waitForCheckpoint(parts, call) },
    {
      ...numbers,
      method: 'POST',
      path: '/sync/checkpoint-request',
      body: 'json',
      problemsIn: problemsInCheckpointRequest,
      answer: (call) => requestCheckpoint(parts, call),
    },
  ];
}

function streamAnswer(parts: RouteParts): Route['answer'] {
  const { metrics, world } = parts;
  const countSent = (bytes: number): void => metrics.add('powersync_data_sent_bytes_total', bytes);
  let connections = 0;
  return async (call) => {
    connections += 1;
    const keepalive = periodOf(connections);
    const { request, response, parameters, signal } = call;
    await largeSteps.next(call.text.length);
    // The fields of the query are also used, unless the body contains them.
    const body = { ...(parameters as ReturnType<typeof readRequestBody>), ...readRequestBody(call.text) };
    const served = await parts.served();
    await largeSteps.next(call.text.length);
    const connected = connect({ user: userOf(call), body, served });
    const type = streamTypeFor(request.headers.accept);
    const encoder = encoderFor(type, connected.request);
    const encoding = encodingFor(String(request.headers['accept-encoding'] ?? ''));
    const head = { ...call.head, ...headOf(type, encoding) };
    forgetHeaders(request);
    const connection = { ...connected, transport: 'http', encoder, keepalive, signal } as const;
    return {
      begin: (fail) => {
        const stream = streamBody(response, encoding, head, countSent);
        const finish = streamFinisher(response, stream.end, world.clock);
        runStream(connection, stream, parts, { finish, fail });
      },
    };
  };
}

function encoderFor(type: StreamType, { rawData }: StreamRequest): Encoder {
  if (type === 'application/vnd.powersync.bson-stream') return bsonEncoder;
  return rawData ? jsonEncoder : nestedJsonEncoder;
}

function headOf(type: StreamType, encoding: Encoding): Head {
  return {
    'Content-Type': type,
    ...streamHead,
    ...(encoding !== 'identity' && { 'Content-Encoding': encoding }),
  };
}

/**
 * Frees the headers. A token and the headers of proxies may have some kilobytes, which are not needed while the stream runs for
 * hours.
 */
function forgetHeaders(request: IncomingMessage): void {
  request.headers = {};
  request.rawHeaders = [];
}

async function createWriteCheckpoint(parts: RouteParts, call: Call) {
  await requireActive(parts);
  const id = await parts.writeCheckpoints.create(writeCheckpointKeyOf(call));
  if (id === undefined)
    throw new ServiceError(
      'SVC_S2001',
      `This client has asked for ${highestRequest}, which is the highest possible number.`,
    );
  return { data: { write_checkpoint: String(id) } };
}

async function requestCheckpoint(parts: RouteParts, call: Call) {
  await requireActive(parts);
  const id = BigInt(call.parameters.checkpoint_request_id as string | number);
  const stored = await parts.writeCheckpoints.request(writeCheckpointKeyOf(call), id);
  return { data: { checkpoint_request_id: String(stored) } };
}

/** How long an old client waits for the current state of the source, in milliseconds. */
const checkpointPatience = 50_000;

async function waitForCheckpoint(parts: RouteParts, call: Call) {
  const { deployment } = await requireActive(parts);
  const source = await parts.source();
  const position = await source.position();
  await source.mark();
  const opId = await reachedAt(parts, deployment, position, call.signal);
  if (opId === undefined) {
    const details = `Replication has not reached the present state of the source within ${checkpointPatience / 1000} s.`;
    throw new ServiceError('SVC_S2001', details, { status: 500 });
  }
  return { data: { checkpoint: String(opId) } };
}

async function reachedAt(
  { feed, world }: RouteParts,
  deployment: number,
  position: LogPosition,
  gone: AbortSignal,
): Promise<number | undefined> {
  const over = new AbortController();
  const stop = feed.watch((notice) => {
    if (notice.deployment === deployment && notice.checkpoint.position >= position) over.abort();
  });
  try {
    const isReached = async () => {
      const newest = await feed.newest(deployment);
      return newest !== undefined && newest.position >= position ? newest.opId : undefined;
    };
    const already = await isReached();
    if (already !== undefined) return already;
    await world.clock.sleep(checkpointPatience, AbortSignal.any([over.signal, gone]));
    return await isReached();
  } finally {
    stop();
  }
}

async function requireActive({ served }: RouteParts): Promise<ServedConfig> {
  const active = await served();
  if (active === undefined)
    throw new ServiceError('SVC_S2302', 'There is no write checkpoint without an active sync config.');
  return active;
}

function writeCheckpointKeyOf(call: Call): string {
  return writeCheckpointKey(userOf(call).id, (call.parameters.client_id ?? undefined) as string | undefined);
}

function userOf({ user }: Call) {
  if (user === undefined) throw new ServiceError('SVC_S2106');
  return user;
}

function problemsInClientId({ client_id }: Parameters): readonly string[] {
  const isText = client_id === undefined || client_id === null || typeof client_id === 'string';
  return isText ? problemsInLength(client_id) : ['client_id must be a single string.'];
}

const highestRequest = 2n ** 63n - 1n;

function problemsInCheckpointRequest({
  client_id,
  checkpoint_request_id: id,
}: Parameters): readonly string[] {
  return [
    ...(typeof client_id === 'string'
      ? problemsInLength(client_id)
      : ['client_id is missing. It must be a string.']),
    ...(isRequestId(id)
      ? []
      : [
          `checkpoint_request_id must be a whole number from 1 to ${highestRequest}, preferably as a string.`,
        ]),
  ];
}

function isRequestId(id: unknown): boolean {
  if (typeof id === 'number') return Number.isSafeInteger(id) && id >= 1;
  if (typeof id !== 'string' || !/^\d{1,19}$/.test(id)) return false;
  const number = BigInt(id);
  return number >= 1n && number <= highestRequest;
}
