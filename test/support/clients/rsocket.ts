/** A minimal client of RSocket over WebSocket. It shares no code with the service. */
import { deserialize } from 'bson';
import { onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { patient } from '../../../scripts/run/patience.ts';
import { createSyncClient, type ReceivedLine, type SyncClient } from './syncClient.ts';

export interface Socket {
  readonly lines: readonly ReceivedLine[];
  readonly client: SyncClient;
  /** The received ERROR frames. */
  readonly errors: readonly { readonly stream: number; readonly code: number; readonly text: string }[];
  readonly keepalives: number;
  readonly completed: boolean;
  /** The close code of the WebSocket. */
  readonly closed: Promise<number>;
  send(frame: Buffer | string): void;
  setup(options?: SetupOptions): void;
  request(options?: RequestOptions): void;
  requestN(n: number): void;
  until(condition: (socket: Socket) => boolean): Promise<void>;
  close(): void;
}

export interface SetupOptions {
  readonly token?: string;
  readonly type?: string;
  readonly lifetime?: number;
}

export interface RequestOptions {
  readonly initial?: number;
  readonly path?: string;
  readonly body?: Buffer | string;
}

export async function openSocket(port: number): Promise<Socket> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/sync/stream`);
  onTestFinished(() => socket.terminate());
  const lines: ReceivedLine[] = [];
  const errors: { stream: number; code: number; text: string }[] = [];
  const client = createSyncClient();
  const listeners = new Set<() => void>();
  let keepalives = 0;
  let completed = false;
  let failure: unknown;
  socket.on('message', (data: Buffer) => {
    const stream = data.readUInt32BE(0);
    const head = data.readUInt16BE(4);
    const body = data.subarray(6);
    try {
      if (head >> 10 === 0x03) keepalives += 1;
      if (head >> 10 === 0x0b)
        errors.push({ stream, code: body.readUInt32BE(0), text: body.toString('utf8', 4) });
      if (head >> 10 === 0x0a && head & 0x40) completed = true;
      if (head >> 10 === 0x0a && head & 0x20) {
        const line = deserialize(body) as ReceivedLine;
        lines.push(line);
        client.take(line);
      }
    } catch (error) {
      failure = error;
    }
    for (const listener of listeners) listener();
  });
  const closed = new Promise<number>((resolve) => socket.on('close', resolve));
  await new Promise((resolve, reject) => socket.on('open', resolve).on('error', reject));
  const opened: Socket = {
    lines,
    client,
    errors,
    closed,
    get keepalives() {
      return keepalives;
    },
    get completed() {
      return completed;
    },
    send: (frame) => socket.send(frame),
    setup: ({ token = 'Token user1', type = 'application/json', lifetime = 90_000 } = {}) => {
      const head = Buffer.from('00000000050000010000', 'hex');
      const metadata = Buffer.from(JSON.stringify({ token, user_agent: 'test' }));
      socket.send(
        Buffer.concat([
          head,
          u32(20_000),
          u32(lifetime),
          text(type),
          text(type),
          u24(metadata.length),
          metadata,
        ]),
      );
    },
    request: ({ initial = 10, path = '/sync/stream', body = '{"raw_data":true}' } = {}) => {
      const metadata = Buffer.from(JSON.stringify({ path }));
      const head = Buffer.from('000000011900', 'hex');
      socket.send(Buffer.concat([head, u32(initial), u24(metadata.length), metadata, Buffer.from(body)]));
    },
    requestN: (n) => socket.send(Buffer.concat([Buffer.from('000000012000', 'hex'), u32(n)])),
    until: (condition) =>
      new Promise((resolve, reject) => {
        const finish = (act: () => void): void => {
          clearTimeout(late);
          listeners.delete(look);
          act();
        };
        const look = (): void => {
          if (failure !== undefined) finish(() => reject(failure));
          else if (condition(opened)) finish(resolve);
        };
        const late = setTimeout(
          () => finish(() => reject(new Error(`waited in vain: ${condition}`))),
          patient(30_000),
        );
        listeners.add(look);
        look();
      }),
    close: () => socket.close(),
  };
  return opened;
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

function u24(value: number): Buffer {
  return u32(value).subarray(1);
}

function text(value: string): Buffer {
  return Buffer.concat([Buffer.from([value.length]), Buffer.from(value)]);
}
