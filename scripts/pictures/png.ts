/** Compresses pictures of screens. They have few colours, and a difference of one 256th in a colour is not visible. */
import { crc32, deflateSync, inflateSync } from 'node:zlib';

interface Pixels {
  readonly width: number;
  readonly height: number;
  /** The pixels with three bytes each: red, green and blue. */
  readonly bytes: Uint8Array;
}

export interface Frame {
  /** A PNG as Chromium writes it: eight bits, RGB, not interlaced. */
  readonly png: Buffer;
  /** The display time in milliseconds. */
  readonly milliseconds: number;
}

/** Returns the same picture with at most 256 colours. */
export function shrinkPng(png: Buffer): Buffer {
  return animatePngs([{ png, milliseconds: 0 }]);
}

/**
 * Returns an animated PNG that repeats these pictures, which must have the same size; if there is only one, a plain PNG. For each
 * later picture, only the part that differs from the previous one is stored.
 */
export function animatePngs(frames: readonly Frame[]): Buffer {
  const pictures = frames.map(({ png }) => decode(png));
  const { width = 0, height = 0 } = pictures[0] ?? {};
  const palette = choosePalette(countColours(pictures.map(({ bytes }) => bytes)));
  const indexed = indexesOf(pictures, palette);
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 3], 8);
  let sequence = 0;
  const addNumber = (body: Buffer): Buffer => {
    const number = Buffer.alloc(4);
    number.writeUInt32BE(sequence);
    sequence += 1;
    return Buffer.concat([number, body]);
  };
  const parts = indexed.flatMap((picture, n): Buffer[] => {
    const before = indexed[n - 1];
    const box = before === undefined ? { x: 0, y: 0, width, height } : boxOfChange(before, picture, width);
    const data = linesOf(picture, width, box);
    if (frames.length === 1) return [chunk('IDAT', data)];
    const control = chunk('fcTL', addNumber(controlOf(box, frames[n]?.milliseconds ?? 0)));
    return [control, n === 0 ? chunk('IDAT', data) : chunk('fdAT', addNumber(data))];
  });
  const animation = Buffer.alloc(8);
  animation.writeUInt32BE(frames.length);
  return Buffer.concat([
    signature,
    chunk('IHDR', head),
    ...(frames.length > 1 ? [chunk('acTL', animation)] : []),
    chunk('PLTE', Buffer.from(palette.flatMap(partsOf))),
    ...parts,
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

function indexesOf(pictures: readonly Pixels[], palette: readonly number[]): readonly Uint8Array[] {
  const nearest = new Map<number, number>();
  return pictures.map(({ bytes }) => {
    const indexes = new Uint8Array(bytes.length / 3);
    for (let pixel = 0; pixel < indexes.length; pixel += 1) {
      const colour = colourAt(bytes, 3 * pixel);
      const index = nearest.get(colour) ?? indexOfNearest(colour, palette);
      nearest.set(colour, index);
      indexes[pixel] = index;
    }
    return indexes;
  });
}

/** Returns the smallest rectangle that contains all differences; one pixel if there are none. */
function boxOfChange(before: Uint8Array, after: Uint8Array, width: number): Box {
  let [left, top, right, bottom] = [width, after.length / width, 0, 0];
  for (let pixel = 0; pixel < after.length; pixel += 1) {
    if (before[pixel] === after[pixel]) continue;
    const [x, y] = [pixel % width, Math.floor(pixel / width)];
    [left, top] = [Math.min(left, x), Math.min(top, y)];
    [right, bottom] = [Math.max(right, x + 1), Math.max(bottom, y + 1)];
  }
  if (right === 0) return { x: 0, y: 0, width: 1, height: 1 };
  return { x: left, y: top, width: right - left, height: bottom - top };
}

/** Returns the lines. Each begins with the number of its filter, which is 0 for none. */
function linesOf(indexes: Uint8Array, width: number, box: Box): Buffer {
  const lines = Buffer.alloc(box.height * (box.width + 1));
  for (let y = 0; y < box.height; y += 1) {
    const from = (box.y + y) * width + box.x;
    lines.set(indexes.subarray(from, from + box.width), y * (box.width + 1) + 1);
  }
  return deflateSync(lines, { level: 9, memLevel: 9 });
}

/** Returns an animated PNG's `fcTL` chunk without its sequence number: the frame stays, and the next one is drawn over it. */
function controlOf({ x, y, width, height }: Box, milliseconds: number): Buffer {
  const control = Buffer.alloc(22);
  for (const [n, value] of [width, height, x, y].entries()) control.writeUInt32BE(value, 4 * n);
  control.writeUInt16BE(milliseconds, 16);
  control.writeUInt16BE(1_000, 18);
  return control;
}

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const mostColours = 256;

/**
 * The filters of the PNG specification, 9.2. Each returns what it adds to a byte, computed from the bytes on the left, above, and
 * above left.
 */
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

function countColours(pictures: readonly Uint8Array[]): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const bytes of pictures)
    for (let at = 0; at < bytes.length; at += 3) {
      const colour = colourAt(bytes, at);
      counts.set(colour, (counts.get(colour) ?? 0) + 1);
    }
  return counts;
}

/** The most frequent colours are those of surfaces. They are always kept, because a wrong one is visible. */
const mostSurfaces = 32;

/**
 * Returns the most frequent colours. After those of surfaces, it skips colours that are too similar to a chosen one, so that up to
 * 256 colours are as distinct as possible.
 */
function choosePalette(counts: ReadonlyMap<number, number>): readonly number[] {
  const colours = [...counts].sort(([, a], [, b]) => b - a).map(([colour]) => colour);
  for (let apart = 0; ; apart += 8) {
    const palette = colours.slice(0, mostSurfaces);
    for (const colour of colours.slice(mostSurfaces))
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

/** Returns the squared distance. */
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
