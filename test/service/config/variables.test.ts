/** `!env` in a service config. */
import { expect, test } from 'vitest';
import { refusalOf, settingsOf } from '../../support/service/settings.ts';

const streams = (value: string): string => `api: { parameters: { max_concurrent_connections: ${value} } }`;
const supabase = (value: string): string => `client_auth: { supabase: ${value} }`;

test.each([
  ['8', 8],
  ['1e3', 1000],
  ['0x10', 16],
  [' 8 ', 8],
])('::number reads %j', (text, number) => {
  const { api } = settingsOf(streams('!env PS_N::number'), { env: { PS_N: text } });
  expect(api.maxConcurrentConnections).toBe(number);
});

test.each([
  ['true', true],
  ['TRUE', true],
  ['False', false],
])('::boolean reads %j', (text, flag) => {
  const { clientAuth } = settingsOf(supabase('!env PS_B::boolean'), { env: { PS_B: text } });
  expect(clientAuth.supabase !== undefined).toBe(flag);
});

test('a value stays text, even if it looks like JSON', () => {
  const text = 'host: !env PS_H\napi: { tokens: [!env PS_T::string] }';
  const { host, api } = settingsOf(text, { env: { PS_H: '127.0.0.1', PS_T: '{"a": 1}' } });
  expect([host, api.tokens]).toEqual(['127.0.0.1', ['{"a": 1}']]);
});

test('a port can be set without ::number', () => {
  expect(settingsOf('port: !env PS_PORT', { env: { PS_PORT: '5433' } }).port).toBe(5433);
});

test('an empty variable counts as set', () => {
  expect(refusalOf('api: { tokens: [!env PS_T] }', { env: { PS_T: '' } })).toEqual([
    '1:16: A token must not be empty.',
  ]);
});

test('an alias has the value of its variable', () => {
  const text = 'metadata: { t: &t !env PS_T }\napi: { tokens: [*t] }';
  expect(settingsOf(text, { env: { PS_T: 'abc' } }).api.tokens).toEqual(['abc']);
});

test('all invalid variables are reported at once, each with its place and without its value', () => {
  const text = `port: !env PS_MISSING
host: !env HOME
api:
  tokens:
    - !env PS_ALSO_MISSING
  parameters:
    max_concurrent_connections: !env PS_SECRET::number
    max_data_fetch_concurrency: !env PS_SECRET
    max_buckets_per_connection: !env PS_SECRET::integer
client_auth:
  supabase: !env PS_SECRET::boolean
`;
  expect(refusalOf(text, { env: { HOME: '/root', PS_SECRET: 'hunter2' } })).toEqual([
    '1:12: The environment variable PS_MISSING is not set.',
    '2:12: Services read only variables whose names start with PS_. Rename it to PS_HOME.',
    '5:12: The environment variable PS_ALSO_MISSING is not set.',
    '7:38: The value of PS_SECRET is not a number.',
    '8:38: `max_data_fetch_concurrency` must be a number. Write `!env PS_SECRET::number`.',
    '9:38: There is no `::integer`, only ::string, ::number and ::boolean.',
    '11:18: The value of PS_SECRET is neither true nor false.',
  ]);
});

test('a JSON config cannot contain variables', () => {
  expect(
    refusalOf('', { options: { configPath: 'a.json' }, files: { 'a.json': '{"port": !env PS_P}' } }),
  ).toEqual(['a.json is not JSON. For YAML its name must end with .yaml.']);
});
