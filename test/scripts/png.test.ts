import { crc32, deflateSync, inflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { shrinkPng } from '../../scripts/pictures/png.ts';

function chunk(kind: string, body: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(kind, 'latin1'), body]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(body.length);
  check.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, check]);
}

/** Two lines of three pixels: the second line as what it adds to the first one. */
function picture(colourType: number): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(3, 0);
  head.writeUInt32BE(2, 4);
  head.set([8, colourType], 8);
  const plain = [0, ...[255, 0, 0], ...[0, 255, 0], ...[255, 0, 0]];
  const above = [2, ...[0, 0, 0], ...[0, 1, 0], ...[1, 0, 255]];
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(Buffer.from([...plain, ...above]))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

test('A picture of few colours keeps each of them, by a palette', () => {
  const small = shrinkPng(picture(2));
  const bodies = new Map<string, Buffer>();
  for (let at = 8; at < small.length; ) {
    const length = small.readUInt32BE(at);
    bodies.set(small.toString('latin1', at + 4, at + 8), small.subarray(at + 8, at + 8 + length));
    expect(small.readUInt32BE(at + 8 + length)).toBe(crc32(small.subarray(at + 4, at + 8 + length)));
    at += 12 + length;
  }
  const palette = bodies.get('PLTE')?.toString('hex').match(/.{6}/g) ?? [];
  const pixels = [...inflateSync(bodies.get('IDAT') ?? Buffer.alloc(0))];
  const lines = [pixels.slice(1, 4), pixels.slice(5, 8)].map((line) => line.map((index) => palette[index]));
  expect(lines).toEqual([
    ['ff0000', '00ff00', 'ff0000'],
    ['ff0000', '000000', '0000ff'],
  ]);
});

test('What is no such picture is refused', () => {
  expect(() => shrinkPng(picture(6))).toThrow(/no PNG/);
});
