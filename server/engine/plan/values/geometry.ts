/** Computes st_*() functions for geometries in PostGIS's (E)WKB form, as hex text or bytes. */
import { fail } from './failure.ts';
import { type Json, writeJson } from './json.ts';
import type { SqlValue } from './value.ts';

type GeometryFunction = 'st_x' | 'st_y' | 'st_astext' | 'st_asgeojson';

export function geometryFunction(name: GeometryFunction): (value: SqlValue) => SqlValue {
  const show = shows[name];
  return (value) => {
    const bytes = bytesOf(value);
    return bytes === null ? null : show(readGeometry(bytes));
  };
}

const shows: Record<GeometryFunction, (geometry: Geometry) => SqlValue> = {
  st_x: (geometry) => coordinate(geometry, 0),
  st_y: (geometry) => coordinate(geometry, 1),
  st_astext: toWkt,
  st_asgeojson: (geometry) => writeJson(toGeoJson(geometry)),
};

type Position = readonly number[];
type Shape = Position | readonly Shape[];

interface Geometry {
  readonly kind: keyof typeof geometryKinds;
  /** The additional dimensions: `Z`, `M`, `ZM` or none. */
  readonly dimension: string;
  /** The positions, nested as deeply as the kind requires. */
  readonly shape: Shape;
  readonly parts: readonly Geometry[];
}

/** The type numbers of WKB, and how deeply the positions of each type are nested. */
const geometryKinds = {
  Point: { number: 1, depth: 0 },
  LineString: { number: 2, depth: 1 },
  Polygon: { number: 3, depth: 2 },
  MultiPoint: { number: 4, depth: 1 },
  MultiLineString: { number: 5, depth: 2 },
  MultiPolygon: { number: 6, depth: 3 },
  GeometryCollection: { number: 7, depth: 0 },
} as const;

const hasZFlag = 0x80000000;
const hasMFlag = 0x40000000;
const hasSridFlag = 0x20000000;
/** The maximum nesting of collections. Real geometries are not nested more deeply. */
const deepestGeometry = 32;

interface Reader {
  readonly view: DataView;
  at: number;
}

interface Header {
  readonly isLittleEndian: boolean;
  readonly kind: keyof typeof geometryKinds;
  readonly dimension: string;
}

function bytesOf(value: SqlValue): Uint8Array | null {
  if (value instanceof Uint8Array) return value;
  if (typeof value !== 'string') return null;
  if (value.length % 2 === 1 || !/^[0-9a-fA-F]*$/.test(value)) return fail('invalid-geometry');
  return Uint8Array.from({ length: value.length / 2 }, (_, i) =>
    Number.parseInt(value.slice(2 * i, 2 * i + 2), 16),
  );
}

function readGeometry(bytes: Uint8Array): Geometry {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return readOne({ view, at: 0 }, 0);
}

function readOne(reader: Reader, depth: number): Geometry {
  if (depth > deepestGeometry) fail('invalid-geometry');
  const header = readHeader(reader);
  const { kind, dimension } = header;
  if (kind === 'Point') return { kind, dimension, shape: readPosition(reader, header), parts: [] };
  if (kind === 'LineString') return { kind, dimension, shape: readLine(reader, header), parts: [] };
  if (kind === 'Polygon') {
    return { kind, dimension, shape: readMany(reader, header, () => readLine(reader, header)), parts: [] };
  }
  const parts = readMany(reader, header, () => readOne(reader, depth + 1));
  return { kind, dimension, shape: parts.map((part) => part.shape), parts };
}

function readHeader(reader: Reader): Header {
  const isLittleEndian = readByte(reader) === 1;
  const type = readCount(reader, isLittleEndian);
  if (type & hasSridFlag) readCount(reader, isLittleEndian);
  const number = (type & 0x1fffffff) >>> 0;
  // The ISO form encodes dimensions in thousands, and PostGIS encodes them as flags.
  const iso = Math.floor(number / 1000);
  const z = (type & hasZFlag) !== 0 || iso === 1 || iso === 3;
  const m = (type & hasMFlag) !== 0 || iso === 2 || iso === 3;
  const kind = kinds.find((name) => geometryKinds[name].number === number % 1000);
  if (kind === undefined || iso > 3) return fail('invalid-geometry');
  return { isLittleEndian, kind, dimension: `${z ? 'Z' : ''}${m ? 'M' : ''}` };
}

const kinds = Object.keys(geometryKinds) as (keyof typeof geometryKinds)[];

function readLine(reader: Reader, header: Header): readonly Position[] {
  return readMany(reader, header, () => readPosition(reader, header));
}

function readMany<T>(reader: Reader, header: Header, readItem: () => T): readonly T[] {
  const count = readCount(reader, header.isLittleEndian);
  const items: T[] = [];
  // The reader fails at the end of the bytes, so a wrong count costs no more than reading all bytes.
  for (let i = 0; i < count; i += 1) items.push(readItem());
  return items;
}

function readPosition(reader: Reader, header: Header): Position {
  const position: number[] = [];
  for (let i = 0; i < 2 + header.dimension.length; i += 1) {
    need(reader, 8);
    position.push(reader.view.getFloat64(reader.at, header.isLittleEndian));
    reader.at += 8;
  }
  return position;
}

function readByte(reader: Reader): number {
  need(reader, 1);
  reader.at += 1;
  return reader.view.getUint8(reader.at - 1);
}

function readCount(reader: Reader, isLittleEndian: boolean): number {
  need(reader, 4);
  reader.at += 4;
  return reader.view.getUint32(reader.at - 4, isLittleEndian);
}

function need(reader: Reader, bytes: number): void {
  if (reader.at + bytes > reader.view.byteLength) fail('invalid-geometry');
}

function coordinate(geometry: Geometry, index: number): SqlValue {
  return geometry.kind === 'Point' ? ((geometry.shape as Position)[index] ?? null) : null;
}

function toWkt(geometry: Geometry): string {
  const name = geometry.kind.toUpperCase();
  const head = geometry.dimension === '' ? name : `${name} ${geometry.dimension} `;
  if (geometry.kind === 'Point') return `${head}(${(geometry.shape as Position).join(' ')})`;
  if ((geometry.shape as readonly Shape[]).length === 0) return `${head.trimEnd()} EMPTY`;
  if (geometry.kind === 'GeometryCollection') return `${head}(${geometry.parts.map(toWkt).join(',')})`;
  return `${head}${shapeToWkt(geometry.shape, geometryKinds[geometry.kind].depth)}`;
}

function shapeToWkt(shape: Shape, depth: number): string {
  if (depth === 0) return (shape as Position).join(' ');
  return `(${(shape as readonly Shape[]).map((inner) => shapeToWkt(inner, depth - 1)).join(',')})`;
}

function toGeoJson(geometry: Geometry): Json {
  if (geometry.kind === 'GeometryCollection') {
    return { type: geometry.kind, geometries: geometry.parts.map(toGeoJson) };
  }
  // GeoJSON cannot represent a measure.
  const axes = geometry.dimension.startsWith('Z') ? 3 : 2;
  return { type: geometry.kind, coordinates: cut(geometry.shape, geometryKinds[geometry.kind].depth, axes) };
}

function cut(shape: Shape, depth: number, axes: number): Json {
  if (depth === 0) return (shape as Position).slice(0, axes);
  return (shape as readonly Shape[]).map((inner) => cut(inner, depth - 1, axes));
}
