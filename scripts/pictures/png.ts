/** Makes pictures of screens small: they have few colours, and nobody sees a 256th part of one. */
import { crc32, deflateSync, inflateSync } from 'node:zlib';

interface Pixels {
  readonly width: number;
  readonly height: number;
  /** Three bytes each: red, green and blue. */
  readonly bytes: Uint8Array;
}

/** The same picture with at most 256 colours. Reads what Chromium writes: eight bits, RGB, not interlaced. */
export function shrinkPng(png: Buffer): Buffer {
  const { width, height, bytes } = decode(png);
  const palette = choosePalette(countColours(bytes));
  const nearest = new Map<number, number>();
  const lines = Buffer.alloc(height * (width + 1));
  for (let pixel = 0; pixel < width * height; pixel += 1) {
    const colour = colourAt(bytes, 3 * pixel);
    const index = nearest.get(colour) ?? indexOfNearest(colour, palette);
    nearest.set(colour, index);
    // Each line begins with the number of its filter, which is none.
    lines[pixel + Math.floor(pixel / width) + 1] = index;
  }
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 3], 8);
  return Buffer.concat([
    signature,
    chunk('IHDR', head),
    chunk('PLTE', Buffer.from(palette.flatMap(partsOf))),
    chunk('IDAT', deflateSync(lines, { level: 9, memLevel: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const mostColours = 256;

/** The PNG specification, 9.2: what each filter adds to a byte, of the one on the left, above, and above that on the left. */
const filters: readonly ((left: number, up: number, corner: number) => number)[] = [
  () => 0,
  (left) => left,
  (_, up) => up,
  (left, up) => (left + up) >> 1,
  (left, up, corner) => {
    const [a, b, c] = [left, up, corner].map((each) => Math.abs(left + up - corner - each)) as [
      number,
      number,
      number,
    ];
    return a <= b && a <= c ? left : b <= c ? up : corner;
  },
];

function decode(png: Buffer): Pixels {
  const parts: Buffer[] = [];
  let [width, height] = [0, 0];
  for (let at = signature.length; at < png.length; ) {
    const length = png.readUInt32BE(at);
    const kind = png.toString('latin1', at + 4, at + 8);
    const body = png.subarray(at + 8, at + 8 + length);
    if (kind === 'IDAT') parts.push(body);
    if (kind === 'IHDR') {
      [width, height] = [body.readUInt32BE(0), body.readUInt32BE(4)];
      if (body[8] !== 8 || body[9] !== 2 || body[12] !== 0)
        throw new Error('This is no PNG of eight bits in RGB.');
    }
    at += 12 + length;
  }
  const raw = inflateSync(Buffer.concat(parts));
  const line = 3 * width;
  const bytes = new Uint8Array(height * line);
  for (let y = 0; y < height; y += 1) {
    const predict = filters[raw[y * (line + 1)] ?? 0];
    for (let x = 0; x < line; x += 1) {
      const at = y * line + x;
      const left = x < 3 ? 0 : (bytes[at - 3] ?? 0);
      const up = bytes[at - line] ?? 0;
      const corner = x < 3 ? 0 : (bytes[at - line - 3] ?? 0);
      bytes[at] = (raw[y * (line + 1) + 1 + x] ?? 0) + (predict?.(left, up, corner) ?? 0);
    }
  }
  return { width, height, bytes };
}

function colourAt(bytes: Uint8Array, at: number): number {
  return ((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0);
}

function countColours(bytes: Uint8Array): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (let at = 0; at < bytes.length; at += 3) {
    const colour = colourAt(bytes, at);
    counts.set(colour, (counts.get(colour) ?? 0) + 1);
  }
  return counts;
}

/** The most frequent ones, as long as none is too near to one that is there: as far apart as 256 of them can be. */
function choosePalette(counts: ReadonlyMap<number, number>): readonly number[] {
  const colours = [...counts].sort(([, a], [, b]) => b - a).map(([colour]) => colour);
  for (let apart = 0; ; apart += 8) {
    const palette: number[] = [];
    for (const colour of colours)
      if (palette.every((each) => distance(each, colour) > apart)) palette.push(colour);
    if (palette.length <= mostColours) return palette;
  }
}

function indexOfNearest(colour: number, palette: readonly number[]): number {
  let best = 0;
  for (const [index, each] of palette.entries())
    if (distance(each, colour) < distance(palette[best] ?? 0, colour)) best = index;
  return best;
}

/** Squared. */
function distance(one: number, other: number): number {
  const [a, b] = [partsOf(one), partsOf(other)];
  return a.reduce((sum, part, index) => sum + (part - (b[index] ?? 0)) ** 2, 0);
}

function partsOf(colour: number): [number, number, number] {
  return [colour >> 16, (colour >> 8) & 0xff, colour & 0xff];
}

function chunk(kind: string, body: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(kind, 'latin1'), body]);
  const whole = Buffer.alloc(named.length + 8);
  whole.writeUInt32BE(body.length, 0);
  named.copy(whole, 4);
  whole.writeUInt32BE(crc32(named), named.length + 4);
  return whole;
}
