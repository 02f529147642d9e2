import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { type JsonObject, readJson } from '../../../server/engine/plan/values/json.ts';
import { readRequestBody } from '../../../server/service/sync/connect.ts';
import { problemsInStreamRequest, readStreamRequest } from '../../../server/service/sync/request.ts';

const subscription = { stream: 's', parameters: null, override_priority: null };

test.each([
  [{ buckets: 5 }, 'buckets must be a list, but is a number.'],
  [{ buckets: [1] }, 'buckets[0] must be an object with `name` and `after`, but is a number.'],
  [
    { buckets: [{ name: 'a' }] },
    'buckets[0].after is missing: it must be an operation id, as a string of digits.',
  ],
  [
    { buckets: [{ name: 'a', after: 1 }] },
    'buckets[0].after must be an operation id, as a string of digits, but is a number.',
  ],
  [
    { buckets: [{ name: 'a', after: 'abc' }] },
    'buckets[0].after must be an operation id, as a string of digits, but is a string.',
  ],
  [{ buckets: [{ after: '1' }] }, 'buckets[0].name is missing: it must be a string.'],
  [{ client_id: 'x'.repeat(1001) }, 'client_id must have at most 1000 characters.'],
  [{ app_metadata: 5 }, 'app_metadata must be an object of strings, but is a number.'],
  [{ streams: { subscriptions: [5] } }, 'streams.subscriptions[0] must be an object, but is a number.'],
  [{ streams: { subscriptions: [null] } }, 'streams.subscriptions[0] must be an object, but is null.'],
  [
    { streams: { subscriptions: [{ ...subscription, stream: {} }] } },
    'streams.subscriptions[0].stream must be the name of a stream, but is an object.',
  ],
  [{ raw_data: 'yes' }, 'raw_data must be true or false, but is a string.'],
  [{ parameters: 'x' }, 'parameters must be an object, but is a string.'],
  [{ parameters: [] }, 'parameters must be an object, but is a list.'],
  [{ client_id: 5 }, 'client_id must be a string, but is a number.'],
  [{ app_metadata: { version: 5 } }, 'app_metadata.version must be a string, but is a number.'],
  [{ streams: [] }, 'streams must be an object, but is a list.'],
  [{ streams: {} }, 'streams.subscriptions is missing: it must be a list.'],
  [
    { streams: { include_defaults: 1, subscriptions: [] } },
    'streams.include_defaults must be true or false, but is a number.',
  ],
  [
    { streams: { subscriptions: [{ stream: 's', parameters: null }] } },
    'streams.subscriptions[0].override_priority is missing: it must be a number or null.',
  ],
  [
    { streams: { subscriptions: [{ ...subscription, parameters: [] }] } },
    'streams.subscriptions[0].parameters must be an object or null, but is a list.',
  ],
])('%j is refused', (body, problem) => {
  expect(problemsInStreamRequest(body)).toEqual([problem]);
});

test.each([
  {},
  { unknown: [1], only: ['a'], include_checksum: true, binary_data: 1 },
  { buckets: null, parameters: null, streams: null, client_id: null, app_metadata: null, raw_data: null },
  { client_id: 'x'.repeat(1000) },
  {
    streams: {
      subscriptions: [subscription, { ...subscription, parameters: { a: 1 }, override_priority: 2 }],
    },
  },
])('%j is accepted', (body) => {
  expect(problemsInStreamRequest(body)).toEqual([]);
});

test('absent fields have their defaults', () => {
  expect(readStreamRequest({})).toEqual({
    positions: new Map(),
    rawData: false,
    clientId: undefined,
    appMetadata: {},
    sync: { connection: { text: '{}', json: {} }, includeDefaults: true, subscriptions: [] },
  });
});

test('fields have the values that the client sends, and null counts as absent', () => {
  const body = {
    client_id: 'c',
    raw_data: true,
    streams: {
      include_defaults: false,
      subscriptions: [subscription, { ...subscription, parameters: { a: 1n } }],
    },
  };
  expect(readStreamRequest(body)).toMatchObject({ clientId: 'c', rawData: true });
  expect(readStreamRequest(body).sync).toStrictEqual({
    connection: { text: '{}', json: {} },
    includeDefaults: false,
    subscriptions: [{ stream: 's' }, { stream: 's', parameters: { text: '{"a":1}', json: { a: 1n } } }],
  });
  expect(readStreamRequest({ client_id: null }).clientId).toBeUndefined();
});

test.each(['{', '['.repeat(10_000), '{"a":1,"a":2}'])(
  'a body that cannot be read is the mistake of the client',
  (text) => {
    expect(() => readRequestBody(text)).toThrow(expect.objectContaining({ code: 'SVC_S2001', status: 400 }));
  },
);

test.each(['', '[]', '5'])('the body %j counts as an empty object', (text) => {
  expect(readRequestBody(text)).toEqual({});
});

test('numbers keep their form', () => {
  const body = readRequestBody('{"parameters":{"i":9007199254740993,"r":1.0}}');
  expect(readStreamRequest(body).sync.connection.text).toBe('{"i":9007199254740993,"r":1.0}');
});

test.each([
  [0n, 0],
  [7n, 3],
  [-1n, 0],
  [1.9, 1],
])('the priority %d counts as %d', (given, expected) => {
  const streams = { subscriptions: [{ ...subscription, override_priority: given }] };
  expect(problemsInStreamRequest({ streams })).toEqual([]);
  expect(readStreamRequest({ streams }).sync.subscriptions).toEqual([{ stream: 's', priority: expected }]);
});

test('a position beyond all ids means that nothing comes after it', () => {
  const { positions } = readStreamRequest({ buckets: [{ name: 'a', after: '9223372036854775807' }] });
  expect(positions.get('a')).toBe(Number.MAX_SAFE_INTEGER);
});

test('metadata is shortened to a limited size', () => {
  const app_metadata = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`key${i}`, 'x'.repeat(500)]));
  const { appMetadata } = readStreamRequest({ app_metadata });
  expect(Object.keys(appMetadata)).toHaveLength(20);
  expect(appMetadata.key0).toHaveLength(100);
  const long = readStreamRequest({ app_metadata: { ['k'.repeat(101)]: 'v' } }).appMetadata;
  expect(long).toEqual({ ['k'.repeat(100)]: 'v' });
});

test('only the facts about the client are kept in memory, even if the body is large', () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const used = (): number => {
    collect();
    return process.memoryUsage().heapUsed;
  };
  const before = used();
  const kept = Array.from({ length: 40 }, (_, n) => {
    const text = `{"client_id":"the id of client number ${n}","app_metadata":{"version":"of the app, number ${n}"},
      "parameters":{"region":"a region, not a short one ${n}"},
      "streams":{"subscriptions":[{"stream":"a stream with a long name ${n}","parameters":{"id":"the text of an id ${n}"}}]},
      "unknown":"${'x'.repeat(1_000_000)}"}`;
    const { clientId, appMetadata, sync } = readStreamRequest(readJson(text) as JsonObject);
    return { clientId, appMetadata, sync };
  });
  expect((used() - before) / kept.length).toBeLessThan(100_000);
  expect(kept[7]).toMatchObject({
    clientId: 'the id of client number 7',
    appMetadata: { version: 'of the app, number 7' },
    sync: { connection: { text: '{"region":"a region, not a short one 7"}' } },
  });
});
