import { crc32, deflateSync, inflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { animatePngs, shrinkPng } from '../../scripts/pictures/png.ts';

function chunk(kind: string, body: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(kind, 'latin1'), body]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(body.length);
  check.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, check]);
}

/** Returns a picture with two lines of three pixels. The second line is stored as its difference from the first. */
function picture(colourType: number, middle: readonly number[] = [0, 255, 0]): Buffer {
  const plain = [0, ...[255, 0, 0], ...middle, ...[255, 0, 0]];
  const above = [2, ...[0, 0, 0], ...[0, 1, 0], ...[1, 0, 255]];
  return pngOf({ width: 3, height: 2, colourType }, [...plain, ...above]);
}

/** Returns a picture with these lines of pixels. */
function pictureOf(lines: readonly (readonly (readonly number[])[])[]): Buffer {
  const size = { width: lines[0]?.length ?? 0, height: lines.length, colourType: 2 };
  return pngOf(
    size,
    lines.flatMap((line) => [0, ...line.flat()]),
  );
}

function pngOf(
  {
    width,
    height,
    colourType,
  }: { readonly width: number; readonly height: number; readonly colourType: number },
  bytes: readonly number[],
): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, colourType], 8);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(Buffer.from(bytes))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Returns the chunks of a picture, and checks their checksums. */
function chunksOf(png: Buffer): readonly (readonly [kind: string, body: Buffer])[] {
  const chunks: (readonly [string, Buffer])[] = [];
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at);
    chunks.push([png.toString('latin1', at + 4, at + 8), png.subarray(at + 8, at + 8 + length)]);
    expect(png.readUInt32BE(at + 8 + length)).toBe(crc32(png.subarray(at + 4, at + 8 + length)));
    at += 12 + length;
  }
  return chunks;
}

test('A picture with few colours keeps all of them in a palette', () => {
  const bodies = new Map(chunksOf(shrinkPng(picture(2))));
  const palette = bodies.get('PLTE')?.toString('hex').match(/.{6}/g) ?? [];
  const pixels = [...inflateSync(bodies.get('IDAT') ?? Buffer.alloc(0))];
  const lines = [pixels.slice(1, 4), pixels.slice(5, 8)].map((line) => line.map((index) => palette[index]));
  expect(lines).toEqual([
    ['ff0000', '00ff00', 'ff0000'],
    ['ff0000', '000000', '0000ff'],
  ]);
});

test('A picture with too many colours keeps those of its surfaces, even if they are similar', () => {
  const white = [255, 255, 255];
  const grey = [248, 248, 248];
  // Too many colours, 14 steps apart: more than white and grey are.
  const others = Array.from({ length: 512 }, (_, n) =>
    [n >> 6, (n >> 3) & 7, n & 7].map((part) => part * 14),
  );
  const pixels = [...Array.from({ length: 64 }, (_, n) => (n % 2 === 0 ? white : grey)), ...others];
  const bodies = new Map(chunksOf(shrinkPng(pictureOf([pixels]))));
  const palette = bodies.get('PLTE')?.toString('hex').match(/.{6}/g) ?? [];
  const indexes = [...inflateSync(bodies.get('IDAT') ?? Buffer.alloc(0))];
  expect([indexes[1], indexes[2]].map((index) => palette[index ?? 0])).toEqual(['ffffff', 'f8f8f8']);
  expect(palette.length).toBeLessThanOrEqual(256);
});

test('A picture of another colour type is refused', () => {
  expect(() => shrinkPng(picture(6))).toThrow(/no PNG/);
});

test('An animation stores only the changed part of later pictures', () => {
  const frames = [picture(2), picture(2, [0, 0, 9]), picture(2, [0, 0, 9])];
  const chunks = chunksOf(animatePngs(frames.map((png) => ({ png, milliseconds: 1_500 }))));
  expect(chunks.map(([kind]) => kind)).toEqual([
    ...['IHDR', 'acTL', 'PLTE', 'fcTL', 'IDAT', 'fcTL', 'fdAT', 'fcTL', 'fdAT', 'IEND'],
  ]);
  const controls = chunks.filter(([kind]) => kind === 'fcTL').map(([, body]) => body);
  // Number, width, height, x, y, and the time in thousandths of a second.
  const read = (body: Buffer) => [
    ...[0, 4, 8, 12, 16].map((at) => body.readUInt32BE(at)),
    body.readUInt16BE(20),
  ];
  expect(controls.map(read)).toEqual([
    [0, 3, 2, 0, 0, 1_500],
    [1, 1, 2, 1, 0, 1_500],
    [3, 1, 1, 0, 0, 1_500],
  ]);
  const [, second] = chunks.filter(([kind]) => kind === 'fdAT');
  expect(second?.[1].readUInt32BE(0)).toBe(4);
});
