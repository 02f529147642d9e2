/** Messages of `pgoutput`, byte by byte, and what becomes of them. */
import { beforeEach, describe, expect, test } from 'vitest';
import type { PgType } from '../../../../server/engine/plan/values/postgres/types.ts';
import { Decoder } from '../../../../server/service/replication/postgres/log/decoder.ts';
import { openWalReader } from '../../../../server/service/replication/postgres/log/walMessages.ts';
import { mostBytes } from '../../../../server/service/replication/postgres/rows.ts';
import type { TypeCatalog } from '../../../../server/service/replication/postgres/types.ts';

import type { ChangedRow, ChangeEvent } from '../../../../server/service/replication/source.ts';
import { options, pattern } from './support.ts';

const table = 16_400;
const uuid = 2950;
const pair = 16_390;

describe('a row', () => {
  let known: Map<number, PgType>;
  let rows: ChangedRow[];
  let decoder: Decoder;

  beforeEach(() => {
    known = new Map();
    load('a');
    rows = [];
    const types: TypeCatalog = {
      get: (oid) => known.get(oid),
      has: (oid) => known.has(oid),
      load: async () => undefined,
      forget: (oid) => known.delete(oid),
    };
    const visibility = { began: () => undefined, isKnown: () => true };
    const settings = { tag: 'default', patterns: [pattern('public.t')], options };
    const emit = (event: ChangeEvent): void => {
      if (event.kind === 'insert') rows.push(event.row);
    };
    decoder = new Decoder({ types, visibility, settings, emit });
    decode(relation());
  });

  test('waits until its types were read again when a value does not fit', () => {
    expect(decode(insert('1', '(x,y)'))).toEqual([uuid, pair]);
    expect(rows).toEqual([]);
    load('a', 'b');
    expect(decode(insert('1', '(x,y)'))).toBeUndefined();
    expect(rows).toEqual([{ values: { id: '1', v: '{"a":"x","b":"y"}' } }]);
  });

  test('is given up when it does not fit then either, and so is the next one', () => {
    decode(insert('1', '(x,y)'));
    load('a');
    expect(decode(insert('1', '(x,y)'))).toBeUndefined();
    expect(decode(insert('2', '(x,y)'))).toBeUndefined();
    const failure = 'The value of column "v" cannot be converted: it has 2 fields, but the type pair has 1';
    expect(rows).toEqual([
      { values: { id: '1' }, failure },
      { values: { id: '2' }, failure },
    ]);
  });

  test('is given up at once when it is too large', () => {
    expect(decode(insert('1', `(${'x'.repeat(mostBytes)})`))).toBeUndefined();
    expect(rows).toEqual([
      { values: { id: '1' }, failure: expect.stringMatching(/^\[SVC_S1002\] The row is too large/) },
    ]);
  });

  test('is not read from a part of its message', () => {
    const message = insert('1', '(x)');
    for (let length = 1; length < message.length; length += 1) {
      expect(() => decode(message.subarray(0, length))).toThrow(
        expect.objectContaining({ code: 'SVC_S1101' }),
      );
      expect(rows).toEqual([]);
    }
    expect(decode(message)).toBeUndefined();
    expect(rows).toHaveLength(1);
  });

  function load(...names: string[]): void {
    known.set(uuid, { kind: 'base', oid: uuid, name: 'uuid' });
    const fields = names.map((name) => ({ name, type: 25 }));
    known.set(pair, { kind: 'composite', name: 'pair', fields });
  }

  function decode(message: Buffer): readonly number[] | undefined {
    const reader = openWalReader();
    reader.open(message);
    return decoder.decode(reader);
  }
});

/** The table `public.t`, with the columns `id`, which is its key, and `v`. */
function relation(): Buffer {
  const column = (flags: number, name: string, type: number) =>
    Buffer.concat([byte(flags), text(name), int32(type), int32(-1)]);
  const columns = [column(1, 'id', uuid), column(0, 'v', pair)];
  return Buffer.concat([
    letter('R'),
    int32(table),
    text('public'),
    text('t'),
    letter('d'),
    int16(2),
    ...columns,
  ]);
}

function insert(...fields: string[]): Buffer {
  const parts = fields.flatMap((field) => [letter('t'), int32(Buffer.byteLength(field)), Buffer.from(field)]);
  return Buffer.concat([letter('I'), int32(table), letter('N'), int16(fields.length), ...parts]);
}

function letter(character: string): Buffer {
  return Buffer.from(character);
}

function text(content: string): Buffer {
  return Buffer.from(`${content}\0`);
}

function byte(value: number): Buffer {
  return Buffer.of(value);
}

function int16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeInt16BE(value);
  return bytes;
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}
