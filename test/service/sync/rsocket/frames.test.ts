import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  completeFrame,
  errorCodes,
  errorFrame,
  keepaliveFrame,
  payloadFrame,
  readFrame,
} from '../../../../server/service/sync/rsocket/frames.ts';

const bytes = (hex: string) => Buffer.from(hex.replaceAll(' ', ''), 'hex');
const u16 = (value: number) => [value >> 8, value & 0xff];
const hex = (frame: Buffer) => frame.toString('hex');

const token = '7b22746f6b656e223a22546f6b656e2078222c22757365725f6167656e74223a2274227d';
const json = '10 6170706c69636174696f6e2f6a736f6e';

test('SETUP is read', () => {
  const frame = readFrame(bytes(`00000000 0500 0001 0000 00004e20 00015f90 ${json} ${json} 000024 ${token}`));
  expect(frame).toEqual({
    kind: 'setup',
    keepalive: 20_000,
    lifetime: 90_000,
    metadataType: 'application/json',
    dataType: 'application/json',
    metadata: Buffer.from('{"token":"Token x","user_agent":"t"}'),
    data: Buffer.alloc(0),
  });
});

test('SETUP is read even if it contains a resume token', () => {
  const frame = readFrame(
    bytes(`00000000 0580 0001 0000 00004e20 00015f90 0003 aabbcc ${json} ${json} 000024 ${token}`),
  );
  expect(frame).toMatchObject({ kind: 'setup', dataType: 'application/json' });
});

test('SETUP is read without metadata and data', () => {
  const setup = `00000000 0400 0001 0000 00004e20 00015f90 ${json} ${json}`;
  const empty = { metadata: Buffer.alloc(0), data: Buffer.alloc(0) };
  expect(readFrame(bytes(setup))).toMatchObject({ dataType: 'application/json', ...empty });
  // The length of the last type exceeds the end.
  expect(readFrame(bytes(setup).subarray(0, -1))).toBeUndefined();
});

test('a payload without metadata is data', () => {
  expect(readFrame(bytes('00000001 1800 0000000a 7b7d'))).toMatchObject({
    metadata: Buffer.alloc(0),
    data: Buffer.from('{}'),
  });
});

test('REQUEST_STREAM is read', () => {
  const frame = readFrame(
    bytes('00000001 1900 0000000a 000017 7b2270617468223a222f73796e632f73747265616d227d 7b7d'),
  );
  expect(frame).toEqual({
    kind: 'request stream',
    stream: 1,
    initial: 10,
    metadata: Buffer.from('{"path":"/sync/stream"}'),
    data: Buffer.from('{}'),
  });
});

test.each([
  ['REQUEST_N', '00000001 2000 00000005', { kind: 'request n', stream: 1, n: 5 }],
  ['CANCEL', '00000001 2400', { kind: 'cancel', stream: 1 }],
  [
    'KEEPALIVE',
    '00000000 0c80 0000000000000000',
    { kind: 'keepalive', respond: true, data: Buffer.alloc(0) },
  ],
  [
    'KEEPALIVE without a request for an answer',
    '00000000 0c00 0000000000000000 7b7d',
    { kind: 'keepalive', respond: false, data: Buffer.from('{}') },
  ],
  ['a LEASE', '00000000 0800 00', { kind: 'other', type: 2 }],
])('%s is read', (_, text, expected) => {
  expect(readFrame(bytes(text))).toEqual(expected);
});

test.each([
  ['PAYLOAD', payloadFrame(1, Buffer.from('{}')), '0000000128207b7d'],
  ['the COMPLETE', completeFrame(1), '000000012840'],
  ['the answer to KEEPALIVE', keepaliveFrame(Buffer.alloc(0)), '000000000c000000000000000000'],
  ['ERROR of the setup', errorFrame(0, errorCodes.rejectedSetup, 'é'), '000000002c0000000003c3a9'],
  ['ERROR of a stream', errorFrame(1, errorCodes.application, 'x'), '000000012c000000020178'],
])('%s is written', (_, frame, expected) => {
  expect(hex(frame)).toBe(expected);
});

test('arbitrary bytes never cause an exception', () => {
  // Random bytes rarely begin like a frame that contains lengths, so some inputs get such a beginning.
  const head = fc.tuple(fc.constantFrom(1, 3, 6, 8, 9, 10, 63), fc.integer({ min: 0, max: 0x3ff }));
  const heads = head.map(([type, flags]) => [0, 0, 0, 1, ...u16((type << 10) | flags)]);
  const random = fc.uint8Array({ maxLength: 80, size: 'max' });
  fc.assert(
    fc.property(fc.oneof(fc.constant([]), heads), random, (first, rest) => {
      const frame = readFrame(Buffer.from([...first, ...rest]));
      expect(frame === undefined || typeof frame.kind === 'string').toBe(true);
    }),
    { seed: 3, numRuns: 4000 },
  );
});

test('a truncated frame is not read', () => {
  const whole = bytes(`00000000 0500 0001 0000 00004e20 00015f90 ${json} ${json} 000024 ${token}`);
  for (let length = 0; length < whole.length; length += 1) {
    expect(readFrame(whole.subarray(0, length))).toBeUndefined();
  }
});

test('KEEPALIVE without its position is not a frame', () => {
  expect(readFrame(bytes('00000000 0c80 00000000000000'))).toBeUndefined();
});
