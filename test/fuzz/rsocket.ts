/** RSocket frames, which our reader reads and a real service receives over a real WebSocket. */
import { serialize } from 'bson';
import { WebSocket } from 'ws';
import { patient } from '../../scripts/run/patience.ts';
import { readFrame } from '../../server/service/sync/rsocket/frames.ts';
import { changeFramed, fromFramed, toFramed } from './framed.ts';
import { type FuzzedService, startFuzzedService } from './service.ts';
import type { Outcome, Target } from './target.ts';

/** A client leaves if it receives nothing for this many milliseconds after its frames. */
const quietAfter = 40;
const patience = patient(10_000);

/** How many more bytes than it received the service may send to a client that has not shown a token. */
const mostWithoutToken = 4 * 1024;

export async function openRsocket(): Promise<Target> {
  const service = await startFuzzedService();
  const placeholder = Buffer.from('T'.repeat(service.userToken.length));
  const seeds = seedsWith(placeholder.toString());
  return {
    name: 'rsocket',
    seeds,
    mutate: (input, random) => changeFramed(input, random, seeds),
    attempt: async (input) => {
      const frames = fromFramed(input).map((frame) =>
        replaced(frame, placeholder, Buffer.from(service.userToken)),
      );
      return readAll(frames) ?? (await exchange(service, frames));
    },
    leftovers: service.leftovers,
    close: service.stop,
  };
}

function seedsWith(token: string): readonly Buffer[] {
  const about = { token: `Token ${token}`, user_agent: 'test' };
  const path = { path: '/sync/stream' };
  const body = { raw_data: true, streams: { include_defaults: true, subscriptions: [] } };
  const asJson = (value: object): Buffer => Buffer.from(JSON.stringify(value));
  const asBson = (value: object): Buffer => Buffer.from(serialize(value));
  return [
    [setup('json', asJson(about)), request(1, 10, asJson(path), asJson(body)), requestN(1, 5), cancel(1)],
    [
      setup('bson', asBson(about)),
      request(1, 1, asBson(path), asBson(body)),
      keepalive('abc'),
      requestN(1, 1),
    ],
    [setup('json', asJson({ token: 'Token wrong' })), request(1, 10, asJson(path), asJson(body))],
    [keepalive('x'.repeat(200)), keepalive('')],
  ].map(toFramed);
}

function setup(type: 'json' | 'bson', metadata: Buffer): Buffer {
  const name = Buffer.from(`application/${type}`);
  const types = [Buffer.of(name.length), name, Buffer.of(name.length), name];
  const times = Buffer.from('00010000' + '00004e20' + '00015f90', 'hex');
  return Buffer.concat([Buffer.from('000000000500', 'hex'), times, ...types, u24(metadata.length), metadata]);
}

function request(stream: number, initial: number, metadata: Buffer, data: Buffer): Buffer {
  return Buffer.concat([
    u32(stream),
    Buffer.from('1900', 'hex'),
    u32(initial),
    u24(metadata.length),
    metadata,
    data,
  ]);
}

const requestN = (stream: number, n: number): Buffer =>
  Buffer.concat([u32(stream), Buffer.from('2000', 'hex'), u32(n)]);
const cancel = (stream: number): Buffer => Buffer.concat([u32(stream), Buffer.from('2400', 'hex')]);
const keepalive = (text: string): Buffer =>
  Buffer.concat([Buffer.from(`000000000c80${'00'.repeat(8)}`, 'hex'), Buffer.from(text)]);

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

function u24(value: number): Buffer {
  return u32(value).subarray(1);
}

function replaced(frame: Buffer, from: Buffer, to: Buffer): Buffer {
  const at = frame.indexOf(from);
  if (at === -1) return frame;
  return Buffer.concat([frame.subarray(0, at), to, frame.subarray(at + from.length)]);
}

/** Checks that the reader returns no more bytes than the frame has. */
function readAll(frames: readonly Buffer[]): Outcome | undefined {
  for (const bytes of frames) {
    const frame = readFrame(bytes);
    if (frame === undefined || !('data' in frame)) continue;
    const held = frame.data.length + ('metadata' in frame ? frame.metadata.length : 0);
    if (held > bytes.length)
      return { feature: 'length', failure: `${held} bytes were read of ${bytes.length}` };
  }
  return undefined;
}

interface Heard {
  readonly messages: readonly Buffer[];
  /** The code with which the service closed the connection. */
  readonly code?: number;
  readonly end: 'closed' | 'quiet' | 'late';
}

async function exchange(service: FuzzedService, frames: readonly Buffer[]): Promise<Outcome> {
  const heard = await converse(service.port, frames);
  const [complaint] = service.complaints();
  if (complaint !== undefined)
    return { feature: 'log', failure: `the service complains of itself: ${complaint}` };
  if (heard.end === 'late') return { feature: 'late', failure: 'the service keeps on sending' };
  const kinds = heard.messages.map(kindOf);
  const garbage = kinds.find((kind) => kind.startsWith('?'));
  if (garbage !== undefined) return { feature: 'garbage', failure: `what was sent is no frame: ${garbage}` };
  const sent = frames.reduce((sum, frame) => sum + frame.length, 0);
  const answered = heard.messages.reduce((sum, message) => sum + message.length, 0);
  const hasToken = frames.some((frame) => frame.includes(service.userToken));
  if (!hasToken && answered > sent + mostWithoutToken)
    return { feature: 'amplified', failure: `${answered} bytes for ${sent} without a token` };
  return { feature: `${[...new Set(kinds)].sort().join(' ')} ${heard.code ?? ''}` };
}

function converse(port: number, frames: readonly Buffer[]): Promise<Heard> {
  return new Promise((resolve) => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/sync/stream`, { perMessageDeflate: false });
    const messages: Buffer[] = [];
    let quiet: NodeJS.Timeout | undefined;
    const finish = (end: Heard['end'], code?: number): void => {
      clearTimeout(quiet);
      clearTimeout(late);
      socket.terminate();
      resolve({ messages, end, ...(code !== undefined && { code }) });
    };
    const listen = (): void => {
      clearTimeout(quiet);
      quiet = setTimeout(() => finish('quiet'), quietAfter);
    };
    const late = setTimeout(() => finish('late'), patience);
    socket.on('open', () => {
      for (const frame of frames) socket.send(frame);
      listen();
    });
    socket.on('message', (data: Buffer) => {
      messages.push(data);
      listen();
    });
    socket.on('error', () => {});
    socket.on('close', (code) => finish('closed', code));
  });
}

const code = /^\[(PSYNC|SVC)_[SR]\d{4}\] /;

/** Returns the kind of a frame, with `?` in front if a service must not send such a frame. */
function kindOf(message: Buffer): string {
  if (message.length < 6) return `?${message.toString('hex')}`;
  const head = message.readUInt16BE(4);
  switch (head >> 10) {
    case 0x03:
      return 'keepalive';
    case 0x0a:
      return head & 0x40 ? 'complete' : 'payload';
    case 0x0b: {
      const text = message.toString('utf8', 10);
      return code.test(text) ? `error ${text.slice(0, 14)}` : `?error ${text.slice(0, 200)}`;
    }
    default:
      return `?${message.subarray(0, 40).toString('hex')}`;
  }
}
