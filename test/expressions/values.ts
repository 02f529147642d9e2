/** Extreme values of columns and requests, and texts that some functions read in a special way. */
import type { SqlValue } from '../../server/engine/plan/values/value.ts';

const texts: readonly string[] = [
  '',
  'abc',
  ' 7 ',
  '12abc',
  '1',
  '0',
  '1.0',
  '0.5',
  '1e3',
  '-1e3',
  '0x1F',
  '.5',
  '+5',
  'true',
  'false',
  'NaN',
  'Infinity',
  'straße',
  'a😀b',
  "it's",
];

const numbers: readonly (bigint | number)[] = [
  0n,
  1n,
  2n,
  5n,
  -5n,
  2n ** 53n + 1n,
  2n ** 63n - 1n,
  -(2n ** 63n),
  0,
  -0,
  1,
  0.5,
  -1.5,
  1e308,
  1.5e-7,
  1e17,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  Number.NEGATIVE_INFINITY,
];

const json: readonly string[] = [
  'null',
  'true',
  '5',
  '"s"',
  '[]',
  '{}',
  '[1,2.0,"x",null,true]',
  '["abc","1",""]',
  '[["u1"],{"a":1}]',
  '[true]',
  '[null]',
  '{"a":1,"b":{"c":[1,2.5]},"n":null,"x.y":3}',
  // JSON5
  '{a:1}',
  "{'a':'x',}",
  '[1,2,]',
  '/*c*/[1]',
  '[+1,.5,5.,0x1F,Infinity,NaN]',
  '{"a":1 // end\n}',
  "'s'",
  '{$a:"\\x41\\\n\\v"}',
  '{"a":1,"a":2}',
];

const times: readonly string[] = [
  '2024-02-30',
  '2023-02-29',
  '2024-04-31 12:00:00',
  '2024-02-32',
  '2024-02',
  '10000-01-01',
  '0000-01-01',
  '2024-01-02T03:04:05.678+02:00',
  '2024-01-02 03:04:05.6789',
  '2024-01-02 24:00:00',
  '2024-01-02 03:04:60',
  '2024-01-02 3:04',
  '03:04',
  '2460000.5',
  '1e5',
  ' 2024-01-02 ',
  '2024-01-02Z',
  '2024-01-02 03:04:05 Z',
  '2024-01-02 03:04:05.',
  '-2024-01-02',
];

const keys: readonly string[] = [
  '$',
  '$.a',
  '$.b.c[0]',
  '$.b.c[#-1]',
  '$[0]',
  'a',
  'x.y',
  '[0]',
  'unixepoch',
  'subsec',
  '01234567-89ab-1cde-8f01-23456789abcd',
  '0101000000000000000000f03f0000000000000040',
];

const blobs: readonly Uint8Array[] = [[], [0x31, 0x32], [0xff, 0x00], [0x5b, 0x31, 0x5d]].map((bytes) =>
  Uint8Array.from(bytes),
);

/** Values that a column of a row can hold. */
export const columnValues: readonly SqlValue[] = [
  null,
  ...texts,
  ...numbers,
  ...json,
  ...times,
  ...keys,
  ...blobs,
];

/** Values that a claim or a parameter can hold, as JSON texts. */
export const requestValues: readonly string[] = [
  ...[...texts, ...json, ...times, ...keys].map((text) => JSON.stringify(text)),
  ...['null', 'true', 'false', '0', '1', '5', '-5', '0.5', '-1.5', '1e17', '1.5e-7', '1e308'],
  ...['[]', '{}', '[1,2.5]', '["abc","1",""]', '[["u1"]]', '[{"a":1}]', '[true]', '[null]', '[false,"abc"]'],
  ...['{"a":1}', '{"a":{"b":[true,null]}}', '[1,"1",true]'],
];
