/** Sync streams over HTTP, which are read line by line as the lines arrive. */
import { type ClientRequest, type IncomingMessage, request as send } from 'node:http';
import { createGunzip, createZstdDecompress } from 'node:zlib';
import { calculateObjectSize, deserialize } from 'bson';
import { patient } from '../../../scripts/run/patience.ts';
import { createSyncClient, type ReceivedLine, type SyncClient } from './syncClient.ts';

export interface SyncStream {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly lines: readonly ReceivedLine[];
  /** The lines as text. Empty for a BSON stream. */
  readonly texts: readonly string[];
  readonly client: SyncClient;
  /** The rows that the client showed after each complete checkpoint. */
  readonly completed: readonly CompleteLine[];
  /** Resolves to `end` after a normal end, and to `broken` if the connection was lost. */
  readonly ended: Promise<'end' | 'broken'>;
  /** The body of an answer that is not a stream, parsed as JSON. */
  readonly error: unknown;
  until(condition: (stream: SyncStream) => boolean, what?: string): Promise<void>;
  close(): void;
  pause(): void;
  resume(): void;
}

export interface CompleteLine {
  readonly opId: string;
  readonly rows: ReadonlyMap<string, string>;
}

export interface StreamOptions {
  readonly token?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** The client of a former stream, which continues with this stream. */
  readonly client?: SyncClient;
  /** The local address from which the client connects. */
  readonly localAddress?: string;
}

const patience = patient(30_000);

export async function openStream(port: number, options: StreamOptions = {}): Promise<SyncStream> {
  const { token = 'user1', body = { raw_data: true }, headers = {} } = options;
  const request = send({
    port,
    host: '127.0.0.1',
    localAddress: options.localAddress ?? '127.0.0.1',
    method: 'POST',
    path: '/sync/stream',
    agent: false,
    headers: { 'content-type': 'application/json', authorization: `Token ${token}`, ...headers },
  });
  request.end(typeof body === 'string' ? body : JSON.stringify(body));
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request.on('response', resolve);
    request.on('error', reject);
  });
  return read(request, response, options.client ?? createSyncClient());
}

function read(request: ClientRequest, response: IncomingMessage, client: SyncClient): SyncStream {
  const lines: ReceivedLine[] = [];
  const texts: string[] = [];
  const completed: CompleteLine[] = [];
  const listeners = new Set<() => void>();
  let failure: unknown;
  let rest: Buffer = Buffer.alloc(0);
  const isBson = response.headers['content-type'] === 'application/vnd.powersync.bson-stream';
  const take = (line: ReceivedLine): void => {
    lines.push(line);
    client.take(line);
    if ('checkpoint_complete' in line) completed.push({ opId: client.completed ?? '', rows: client.rows });
  };
  const split = isBson ? splitBson : splitJson;
  const decoded = decode(response);
  decoded.on('data', (chunk: Buffer) => {
    if (response.statusCode !== 200) {
      rest = Buffer.concat([rest, chunk]);
      return;
    }
    try {
      rest = split(Buffer.concat([rest, chunk]), take, texts);
    } catch (error) {
      failure = error;
    }
    for (const listener of listeners) listener();
  });
  let isEnded = false;
  const ended = new Promise<'end' | 'broken'>((resolve) => {
    decoded.on('end', () => resolve(response.complete ? 'end' : 'broken'));
    decoded.on('error', () => resolve('broken'));
    response.on('error', () => resolve('broken'));
    response.on('aborted', () => resolve('broken'));
  });
  void ended.then(() => {
    isEnded = true;
    for (const listener of listeners) listener();
  });
  const stream: SyncStream = {
    status: response.statusCode ?? 0,
    headers: response.headers,
    lines,
    texts,
    client,
    completed,
    ended,
    get error() {
      return rest.length === 0 ? undefined : JSON.parse(rest.toString());
    },
    until: (condition, what = String(condition)) =>
      new Promise((resolve, reject) => {
        const finish = (act: () => void): void => {
          clearTimeout(late);
          listeners.delete(look);
          act();
        };
        const look = (): void => {
          if (failure !== undefined) finish(() => reject(failure));
          else if (condition(stream)) finish(resolve);
          else if (isEnded) finish(() => reject(new Error(`The stream ended before: ${what}`)));
        };
        const late = setTimeout(() => {
          const shown = lines.slice(-5).map((line) => JSON.stringify(line).slice(0, 300));
          finish(() => reject(new Error(`waited in vain for: ${what}\n${shown.join('\n')}`)));
        }, patience);
        listeners.add(look);
        look();
      }),
    close: () => request.destroy(),
    pause: () => void response.pause(),
    resume: () => void response.resume(),
  };
  return stream;
}

function decode(response: IncomingMessage) {
  switch (response.headers['content-encoding']) {
    case 'gzip':
      return response.pipe(createGunzip());
    case 'zstd':
      return response.pipe(createZstdDecompress());
    default:
      return response;
  }
}

type Split = (bytes: Buffer, take: (line: ReceivedLine) => void, texts: string[]) => Buffer;

const splitJson: Split = (bytes, take, texts) => {
  let start = 0;
  for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, start)) {
    const text = bytes.toString('utf8', start, end);
    texts.push(text);
    take(JSON.parse(text) as ReceivedLine);
    start = end + 1;
  }
  return bytes.subarray(start);
};

const splitBson: Split = (bytes, take) => {
  let start = 0;
  while (bytes.length - start >= 4 && bytes.length - start >= bytes.readInt32LE(start)) {
    const end = start + bytes.readInt32LE(start);
    const document = deserialize(bytes.subarray(start, end)) as ReceivedLine;
    if (calculateObjectSize(document) <= 4) throw new Error('an empty document');
    take(document);
    start = end;
  }
  return bytes.subarray(start);
};
