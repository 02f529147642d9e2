/**
 * The stored part of a row's values. It only contains values that a later update may omit because they did not change. A
 * source may omit values that it stores outside of their row: texts and other values without a fixed size, in rows above 2 KB.
 * For each value, the layout is the length of its name (16 bits), the name, `0` for text or `1` for bytes, the length (32 bits)
 * and the value; numbers are big-endian.
 */
import type { Row } from '../../../engine/plan/evaluate/scope.ts';
import type { TableInfo } from '../source.ts';

export interface RowCodec {
  /** Returns undefined if nothing of this row must be stored. */
  readonly encode: (row: Row) => Uint8Array | undefined;
}

/**
 * The minimum size of stored values, for tables whose rows can be read again. Smaller rows rarely omit values. The limit is an
 * eighth of the one in the source, because text may have only an eighth of the size in the database (`[1,2,3]` as jsonb). A row
 * that has only recently become smaller may still omit values, so it is read again from the source.
 */
const smallRow = 2000 / 8;

export function toRowCodec(table: TableInfo, canRefetch: boolean): RowCodec {
  const { omitted } = table;
  if (table.identityKind === 'full' || omitted?.length === 0) return { encode: () => undefined };
  const least = canRefetch ? smallRow : 1;
  return {
    encode: (row) => {
      if (sizeOfRow(row) < least) return undefined;
      const kept = (omitted ?? Object.keys(row)).filter((name) => isWide(row[name]));
      const size = kept.reduce((sum, name) => sum + (row[name] as string | Uint8Array).length, 0);
      return size < least ? undefined : encode(row, kept);
    },
  };
}

/** Whether rows of the table can be read again individually. */
export function canRefetch({
  identity,
  identityKind,
}: Pick<TableInfo, 'identity' | 'identityKind'>): boolean {
  return identityKind !== 'full' && identity.length === 1 && refetchable.has(identity[0]?.type ?? '');
}

const refetchable = new Set(['text', 'varchar', 'uuid', 'int2', 'int4', 'int8']);

export function decodeRow(bytes: Uint8Array | undefined): Row {
  const row: Record<string, string | Uint8Array> = Object.create(null);
  if (bytes === undefined) return row;
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  while (at < buffer.length) {
    const nameEnd = at + 2 + buffer.readUInt16BE(at);
    const start = nameEnd + 5;
    const end = start + buffer.readUInt32BE(nameEnd + 1);
    const isText = buffer[nameEnd] === textTag;
    row[buffer.toString('utf8', at + 2, nameEnd)] = isText
      ? buffer.toString('utf8', start, end)
      : Uint8Array.from(buffer.subarray(start, end));
    at = end;
  }
  return row;
}

const textTag = 0;
const bytesTag = 1;

function isWide(value: unknown): boolean {
  return typeof value === 'string' || value instanceof Uint8Array;
}

function encode(row: Row, names: readonly string[]): Uint8Array {
  const parts: Buffer[] = [];
  for (const name of names) {
    const value = row[name] as string | Uint8Array;
    const bytes = typeof value === 'string' ? Buffer.from(value) : value;
    const label = Buffer.from(name);
    const head = Buffer.allocUnsafe(7 + label.length);
    head.writeUInt16BE(label.length, 0);
    label.copy(head, 2);
    head[2 + label.length] = typeof value === 'string' ? textTag : bytesTag;
    head.writeUInt32BE(bytes.length, 3 + label.length);
    parts.push(head, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  }
  return Buffer.concat(parts);
}

/** Returns the approximate size of a row's values in bytes. A character counts as one byte. */
export function sizeOfRow(row: Row): number {
  let size = 0;
  for (const name in row) {
    const value = row[name];
    size += typeof value === 'string' || value instanceof Uint8Array ? value.length : 8;
  }
  return size;
}
