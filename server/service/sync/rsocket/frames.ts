/**
 * Frames of RSocket 1.0 over WebSocket: one in each binary message, big-endian, without a length. A frame begins with four bytes
 * of stream id, six bits of type and ten bits of flags.
 */
export type Frame =
  | {
      readonly kind: 'setup';
      /** Both times are in milliseconds. */
      readonly keepalive: number;
      readonly lifetime: number;
      readonly metadataType: string;
      readonly dataType: string;
      readonly metadata: Buffer;
      readonly data: Buffer;
    }
  | {
      readonly kind: 'request stream';
      readonly stream: number;
      readonly initial: number;
      readonly metadata: Buffer;
      readonly data: Buffer;
    }
  | { readonly kind: 'request n'; readonly stream: number; readonly n: number }
  | { readonly kind: 'cancel'; readonly stream: number }
  | { readonly kind: 'keepalive'; readonly respond: boolean; readonly data: Buffer }
  | { readonly kind: 'other'; readonly type: number };

const types = {
  setup: 0x01,
  keepalive: 0x03,
  requestStream: 0x06,
  requestN: 0x08,
  cancel: 0x09,
  payload: 0x0a,
  error: 0x0b,
} as const;

const flags = { metadata: 0x100, resume: 0x80, respond: 0x80, complete: 0x40, next: 0x20 } as const;

export const errorCodes = { rejectedSetup: 0x03, application: 0x201, connection: 0x101 } as const;

/** Returns undefined if the bytes are not a frame: too short, or with lengths that exceed the end. */
export function readFrame(bytes: Buffer): Frame | undefined {
  try {
    return readFields(bytes);
  } catch (error) {
    // A read beyond the end throws this error.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function readFields(bytes: Buffer): Frame {
  const stream = bytes.readUInt32BE(0);
  const head = bytes.readUInt16BE(4);
  const type = head >> 10;
  const body = bytes.subarray(6);
  switch (type) {
    case types.setup:
      return readSetup(head, body);
    case types.requestStream:
      return {
        kind: 'request stream',
        stream,
        initial: body.readUInt32BE(0),
        ...readPayload(head, body.subarray(4)),
      };
    case types.requestN:
      return { kind: 'request n', stream, n: body.readUInt32BE(0) };
    case types.cancel:
      return { kind: 'cancel', stream };
    case types.keepalive:
      body.readBigUInt64BE(0);
      return { kind: 'keepalive', respond: (head & flags.respond) !== 0, data: body.subarray(8) };
    default:
      return { kind: 'other', type };
  }
}

function readSetup(head: number, body: Buffer): Frame {
  let at = 12;
  if (head & flags.resume) at += 2 + body.readUInt16BE(at);
  const readType = (): string => {
    const end = at + 1 + body.readUInt8(at);
    if (end > body.length) throw new RangeError();
    const text = body.toString('latin1', at + 1, end);
    at = end;
    return text;
  };
  const keepalive = body.readUInt32BE(4);
  const lifetime = body.readUInt32BE(8);
  const metadataType = readType();
  const dataType = readType();
  const payload = readPayload(head, body.subarray(at));
  return { kind: 'setup', keepalive, lifetime, metadataType, dataType, ...payload };
}

function readPayload(head: number, body: Buffer): { readonly metadata: Buffer; readonly data: Buffer } {
  if (!(head & flags.metadata)) return { metadata: Buffer.alloc(0), data: body };
  const end = 3 + body.readUIntBE(0, 3);
  if (end > body.length) throw new RangeError();
  return { metadata: body.subarray(3, end), data: body.subarray(end) };
}

export function payloadFrame(stream: number, data: Uint8Array): Buffer {
  return frame(stream, types.payload, flags.next, data);
}

export function completeFrame(stream: number): Buffer {
  return frame(stream, types.payload, flags.complete);
}

export function errorFrame(stream: number, code: number, text: string): Buffer {
  const body = Buffer.alloc(4 + Buffer.byteLength(text));
  body.writeUInt32BE(code);
  body.write(text, 4);
  return frame(stream, types.error, 0, body);
}

/** Returns the answer to a KEEPALIVE that asks for one. */
export function keepaliveFrame(data: Uint8Array): Buffer {
  return frame(0, types.keepalive, 0, Buffer.concat([Buffer.alloc(8), data]));
}

function frame(stream: number, type: number, flagBits: number, body: Uint8Array = Buffer.alloc(0)): Buffer {
  const bytes = Buffer.allocUnsafe(6 + body.byteLength);
  bytes.writeUInt32BE(stream, 0);
  bytes.writeUInt16BE((type << 10) | flagBits, 4);
  bytes.set(body, 6);
  return bytes;
}
