import { deserialize } from 'bson';
import { expect, test } from 'vitest';
import { bsonEncoder, jsonEncoder, nestedJsonEncoder } from '../../../server/service/sync/encode/encoder.ts';

const put =
  '{"op_id":"7","op":"PUT","object_type":"t","object_id":"1","checksum":4229769916,"subkey":"1/a","data":"{\\"id\\":\\"1\\",\\"n\\":1.0,\\"é\\":\\"\\\\n\\"}"}';
const remove =
  '{"op_id":"9","op":"REMOVE","object_type":"t","object_id":"1","checksum":3,"subkey":"1/a","data":null}';
const chunk = {
  bucket: 'b["é\n"]',
  after: 5,
  nextAfter: 9,
  hasMore: true,
  count: 2,
  texts: [put, remove],
};

test('a line of JSON contains operations as they are stored, and its only line break is at its end', () => {
  const text = Buffer.from(jsonEncoder.data(chunk)).toString();
  expect(text).toBe(
    `{"data":{"bucket":"b[\\"é\\n\\"]","after":"5","has_more":true,"data":[${put},${remove}],"next_after":"9"}}\n`,
  );
  expect(JSON.parse(text)).toBeTypeOf('object');
});

test('older clients get data as an object in which numbers keep all digits', () => {
  const text = Buffer.from(nestedJsonEncoder.data(chunk)).toString();
  expect(text).toContain('"subkey":"1/a","data":{"id":"1","n":1.0,"é":"\\n"}}');
  expect(text).toContain(remove);
});

test('several operations in one text are encoded like separate texts', () => {
  for (const { data } of [jsonEncoder, nestedJsonEncoder, bsonEncoder]) {
    expect(data({ ...chunk, texts: [`${put},${remove}`] })).toEqual(data(chunk));
  }
});

test('operations in bytes are encoded like operations in strings', () => {
  for (const { data } of [jsonEncoder, nestedJsonEncoder, bsonEncoder]) {
    const [first, second] = [Buffer.from(put), new Uint8Array(Buffer.from(`  ${remove}`)).subarray(2)];
    expect(data({ ...chunk, texts: [first, second] })).toEqual(data(chunk));
    expect(data({ ...chunk, texts: [first, remove] })).toEqual(data(chunk));
  }
});

test('a BSON document has the same content as a line of JSON', () => {
  const { data } = JSON.parse(Buffer.from(jsonEncoder.data(chunk)).toString());
  const bytes = bsonEncoder.data(chunk);
  expect(deserialize(bytes)).toEqual({ data });
  expect(Buffer.from(bytes).readInt32LE(0)).toBe(bytes.length);
});

test('BSON encodes integers as int32 if they fit', () => {
  const line = {
    checkpoint: {
      last_op_id: '1',
      buckets: [{ bucket: 'b', checksum: -5, count: 1, priority: 3, subscriptions: [{ default: 0 }] }],
      streams: [],
    },
  } as const;
  const types = deserialize(bsonEncoder.line(line), { promoteValues: false }).checkpoint.buckets[0];
  expect(types.priority._bsontype).toBe('Int32');
  expect(types.checksum._bsontype).toBe('Int32');
  expect(types.subscriptions[0].default._bsontype).toBe('Int32');
});

test('absent properties of a checkpoint are omitted', () => {
  const line = { checkpoint_diff: { last_op_id: '1', removed_buckets: [], updated_buckets: [] } };
  expect(Buffer.from(jsonEncoder.line(line)).toString()).toBe(
    '{"checkpoint_diff":{"last_op_id":"1","removed_buckets":[],"updated_buckets":[]}}\n',
  );
});

test('lines with data may be larger than the buffer in which they are built', () => {
  const json = `{"data":"${'é€😀'.repeat(1_000_000)}"}`;
  for (const count of [1, 3]) {
    const texts = Array.from({ length: count }, () => json);
    const text = Buffer.from(jsonEncoder.data({ ...chunk, count, texts })).toString();
    expect(text.split(json)).toHaveLength(count + 1);
    expect(text.endsWith('],"next_after":"9"}}\n')).toBe(true);
  }
});
