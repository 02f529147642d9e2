/** The keys of a service config, their defaults, and the values that are refused. */
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ServiceSettings } from '../../../server/service/config/settings.ts';
import { load, refusalOf, settingsOf } from '../../support/service/settings.ts';

test('an empty file is valid: the service listens only on this machine, and has its own database and storage', () => {
  expect(settingsOf('')).toEqual({
    port: 8080,
    host: '127.0.0.1',
    role: 'unified',
    connection: { type: 'embedded', id: 'default', tag: 'default', debugApi: false },
    storage: { type: 'embedded', path: resolve('/w', '.headwater') },
    clientAuth: { keys: [], keySetUris: [], audience: [], rejectIpRanges: [], blockLocalKeySets: false },
    api: {
      tokens: [],
      maxConcurrentConnections: 200,
      maxDataFetchConcurrency: 10,
      maxBucketsPerConnection: 1000,
      maxParameterQueryResults: 1000,
      overLimit: 'stream',
      checkpointRequestRetentionMinutes: 60,
      bucketCountCacheTtlMinutes: 60,
    },
    probes: { files: true, http: true },
    logging: { level: 'info', format: 'text' },
    migrations: { automatic: true },
    verification: { share: 0.01 },
    defaultStorageVersion: 2,
  });
});

const everything = `
_type: self-hosted
replication:
  connections:
    - type: postgresql
      id: main
      tag: src
      debug_api: true
      uri: postgres://uri-user:uri%20pass@URI.example:5433/uri%2Fdb?connect_timeout=7&sslmode=require
      username: user
      sslmode: verify-ca
      cacert: CA
      client_certificate: CERT
      client_private_key: KEY
      tls_servername: db.internal
      reject_ip_ranges: [local, 8.8.8.0/24]
      slot_name_prefix: app_
      max_pool_size: 4
      snapshot_socket_timeout: 12.5
      heartbeat_interval_seconds: 5
storage:
  type: postgresql
  hostname: storage.example
  port: "5434"
  username: s
  password: "p"
  database: d
  sslmode: disable
  connect_timeout: 3
  default_storage_version: 3
  batch_limits: { max_record_count: 10, max_estimated_size: 1000, max_current_data_batch_size: 1 }
port: "9090"
host: 0.0.0.0
client_auth:
  jwks_uri: [https://a.example/keys, http://b.example/keys]
  jwks: { keys: [{ kty: oct, alg: HS256, kid: k, k: c2VjcmV0 }] }
  jwks_reject_ip_ranges: [10.0.0.0/8]
  block_local_jwks: true
  audience: [app]
api:
  tokens: [t1, t2]
  parameters:
    max_concurrent_connections: 1
    max_data_fetch_concurrency: 2
    max_buckets_per_connection: 3
    max_parameter_query_results: 4
    checkpoint_request_retention_minutes: 5
    bucket_count_cache_ttl_minutes: 6
healthcheck: { probes: { use_http: true } }
telemetry: { disable_telemetry_sharing: true, prometheus_port: 9091, internal_service_endpoint: http://x }
migrations: { disable_auto_migration: true }
verification: { percent_of_time: 5 }
system: { logging: { level: verbose, format: json } }
metadata: { team: a }
parameters: { number: 1, text: x }
dev: { demo: true }
unknown: { deep: { unknown: 1 } }
`;

test('every key is read into its setting', () => {
  expect(settingsOf(everything)).toEqual({
    port: 9090,
    host: '0.0.0.0',
    role: 'unified',
    connection: {
      type: 'postgresql',
      id: 'main',
      tag: 'src',
      debugApi: true,
      hostname: 'uri.example',
      port: 5433,
      username: 'user',
      password: 'uri pass',
      database: 'uri/db',
      tls: { mode: 'verify-ca', ca: 'CA', certificate: 'CERT', privateKey: 'KEY', serverName: 'db.internal' },
      rejectIpRanges: ['local', '8.8.8.0/24'],
      maxPoolSize: 4,
      connectTimeoutSeconds: 7,
      slotNamePrefix: 'app_',
      heartbeatSeconds: 5,
      snapshotSocketTimeoutSeconds: 12.5,
    },
    storage: {
      type: 'postgresql',
      hostname: 'storage.example',
      port: 5434,
      username: 's',
      password: 'p',
      database: 'd',
      tls: { mode: 'disable' },
      rejectIpRanges: [],
      maxPoolSize: 8,
      connectTimeoutSeconds: 3,
      batch: { maxRecordCount: 10, maxEstimatedSize: 1000, maxCurrentDataBatchSize: 1 },
    },
    clientAuth: {
      keys: [expect.objectContaining({ kty: 'oct', alg: 'HS256', kid: 'k', k: 'c2VjcmV0' })],
      keySetUris: ['https://a.example/keys', 'http://b.example/keys'],
      audience: ['app'],
      rejectIpRanges: ['10.0.0.0/8'],
      blockLocalKeySets: true,
    },
    api: {
      tokens: ['t1', 't2'],
      maxConcurrentConnections: 1,
      maxDataFetchConcurrency: 2,
      maxBucketsPerConnection: 3,
      maxParameterQueryResults: 4,
      overLimit: 'stream',
      checkpointRequestRetentionMinutes: 5,
      bucketCountCacheTtlMinutes: 6,
    },
    probes: { files: false, http: true },
    metricsPort: 9091,
    logging: { level: 'verbose', format: 'json' },
    migrations: { automatic: false },
    verification: { share: 0.05 },
    defaultStorageVersion: 3,
  });
});

test('every prefix of a config is either accepted or refused with a readable message', () => {
  const oddities = `${everything}a: &a [*a, !env, !env {x: 1}, !unknown x, <<: *b]\n"b": |\n\t`;
  for (let end = 0; end <= oddities.length; end += 29)
    for (const line of refusalOf(oddities.slice(0, end)))
      expect(line).toMatch(/^(\d+:\d+: |There is no file)/);
});

test('aliases that multiply are refused, not followed', () => {
  const levels = Array.from({ length: 30 }, (_, i) => `l${i + 1}: &l${i + 1} [*l${i}, *l${i}]`);
  expect(
    refusalOf(`metadata:\n  l0: &l0 [x]\n${levels.map((level) => `  ${level}`).join('\n')}`),
  ).toContainEqual(
    expect.stringContaining('This alias cannot be resolved, because the file has too many aliases.'),
  );
});

const connection = (keys: string): string => `replication: { connections: [{ ${keys} }] }`;
const postgres = (keys: string): string =>
  connection(`type: postgresql, uri: "postgresql://u:p@h/d", ${keys}`);
const api = (keys: string): string => `api: { parameters: { ${keys} } }`;

describe('a config is refused with a code for', () => {
  test.each<[string, string, readonly (string | RegExp)[]]>([
    [
      'a scheme of another database',
      connection('type: postgresql, uri: "mysql://u:p@h/d"'),
      [/^1:55: SVC_S1109: `uri` must be a URI/],
    ],
    [
      'a connection without anything',
      connection('type: postgresql'),
      [
        /SVC_S1106: .* no host name/,
        /SVC_S1107: .* no user/,
        /SVC_S1108: .* no password/,
        /SVC_S1105: .* no database/,
      ],
    ],
    [
      'a URI without parts',
      connection('type: postgresql, uri: "postgresql://h"'),
      [/SVC_S1107/, /SVC_S1108/, /SVC_S1105/],
    ],
    ['a key that empties its part', postgres('password: ""'), [/SVC_S1108/]],
    ['a low port', postgres('port: 80'), [/SVC_S1110/]],
    [
      'a low port in the URI',
      connection('type: postgresql, uri: "postgresql://u:p@h:80/d"'),
      [/^1:55: SVC_S1110/],
    ],
    ['a port that is none', postgres('port: "99999"'), [/SVC_S1110/]],
    ['verify-ca without an authority', postgres('sslmode: verify-ca'), [/SVC_S1104/]],
    ['a heartbeat too often', postgres('heartbeat_interval_seconds: 4'), [/SVC_S1109/]],
    ['a port of the embedded database', connection('type: embedded, port: 80'), [/SVC_S1110/]],
    ['a key set that is no URL', 'client_auth: { jwks_uri: nowhere }', [/^1:26: SVC_S3102/]],
    ['a key set of another scheme', 'client_auth: { jwks_uri: "ftp://a" }', [/SVC_S3103/]],
    [
      'a key set at an IPv6 address',
      'client_auth: { jwks_uri: "http://[::1]/k", block_local_jwks: true }',
      [/SVC_S2202/],
    ],
    [
      'a key set at a rejected address',
      'client_auth: { jwks_uri: "http://10.0.0.1/k", jwks_reject_ip_ranges: [local] }',
      [/SVC_S2203/],
    ],
  ])('%s', (_, text, lines) => {
    expect(refusalOf(text)).toEqual(lines.map((line) => expect.stringMatching(line)));
  });
});

describe('a config is refused for', () => {
  test.each<[string, string, readonly string[]]>([
    ...['mongodb', 'mysql', 'mssql', 'convex'].map((type): [string, string, readonly string[]] => [
      `a source of type ${type}`,
      connection(`type: ${type}, uri: x`),
      [
        `1:38: This service does not run connections of type \`${type}\`, only \`embedded\` and \`postgresql\`.`,
      ],
    ]),
    [
      'a storage in MongoDB',
      'storage: { type: mongodb, uri: x }',
      [
        '1:18: This service does not run a storage of type `mongodb`, only `embedded` and `postgresql`. Write two lines instead: `storage:` and, below, `type: embedded`.',
      ],
    ],
    [
      'an unknown type',
      connection('type: oracle'),
      ['1:38: This service does not run connections of type `oracle`, only `embedded` and `postgresql`.'],
    ],
    ['a storage without type', 'storage: { path: x }', ['1:1: `storage` needs `type`.']],
    [
      'a second connection',
      'replication: { connections: [{ type: embedded }, { type: embedded }] }',
      ['1:50: Only one source database is possible. Remove this one.'],
    ],
    [
      'both names of the sync config',
      'sync_config: {}\nsync_rules: {}',
      ['2:13: `sync_rules` is only the older name of `sync_config`. Keep one of them.'],
    ],
    [
      'a storage version that is too old',
      'storage: { type: embedded, default_storage_version: 1 }',
      ['1:53: `default_storage_version` must be 2 or 3.'],
    ],
    ['a port that is too high', 'port: 65536', ['1:7: `port` must be a number from 0 to 65535.']],
    [
      'a limit of no connections',
      api('max_concurrent_connections: 0'),
      ['1:50: `max_concurrent_connections` must be a whole number above 0.'],
    ],
    [
      'a fraction of a minute',
      api('bucket_count_cache_ttl_minutes: 0.5'),
      ['1:54: `bucket_count_cache_ttl_minutes` must be a whole number.'],
    ],
    [
      'an invalid range',
      postgres('reject_ip_ranges: [10.0.0.0/33]'),
      ['1:97: `10.0.0.0/33` is neither a range of addresses such as 10.0.0.0/8 nor `local`.'],
    ],
    [
      'a URL of the console',
      'console: { hosts: [sync.example.com, "https://sync.example.com"] }',
      [
        '1:19: "https://sync.example.com" is not a host name. Write it as in `sync.example.com` or `sync.example.com:8443`.',
      ],
    ],
    [
      'a flag as text',
      'client_auth: { supabase: "true" }',
      ['1:26: `supabase` must be true or false, without quotes.'],
    ],
    ['telemetry without its key', 'telemetry: {}', ['1:1: `telemetry` needs `disable_telemetry_sharing`.']],
    ['broken YAML', 'port: 1\nport: 2', ['2:1: The key `port` is already defined in line 1.']],
  ])('%s', (_, text, lines) => {
    expect(refusalOf(text)).toEqual(lines);
  });

  test.each([
    ['a role', { PS_RUNNER_TYPE: 'both' }, 'Unknown role `both`. The roles are `unified`, `api` and `sync`.'],
    [
      'a level',
      { PS_LOG_LEVEL: 'loud' },
      'The log level must be one of silly, debug, verbose, http, info, warn, error.',
    ],
    ['a format', { PS_LOG_FORMAT: 'xml' }, 'The log format must be json or text.'],
  ])('%s that does not exist', (_, env, line) => {
    expect(refusalOf('', { env })).toEqual([line]);
  });
});

test.each<[string, Pick<ServiceSettings, 'console' | 'consoleHosts'>]>([
  ['{}', {}],
  ['{ console: true }', { console: true }],
  ['{ console: false }', { console: false }],
  ['{ console: { hosts: [sync.example.com] } }', { console: true, consoleHosts: ['sync.example.com'] }],
  ['{ console: { hosts: [!env PS_HOST] } }', { console: true, consoleHosts: ['sync.internal'] }],
])('%s determines whether there is a console, and its host names', (text, expected) => {
  const { console, consoleHosts } = settingsOf(text, { env: { PS_HOST: 'sync.internal' } });
  expect({
    ...(console !== undefined && { console }),
    ...(consoleHosts !== undefined && { consoleHosts }),
  }).toEqual(expected);
});

describe('a URI', () => {
  const uriOf = (uri: string): object => {
    const { connection: found } = settingsOf(connection(`type: postgresql, uri: "${uri}"`));
    return found;
  };

  test.each<[string, string, object]>([
    ['may have a colon in its password', 'postgres://u:a:b@h/d', { username: 'u', password: 'a:b' }],
    ['may have an @ in its password', 'postgres://u:a@b@h/d', { password: 'a@b', hostname: 'h' }],
    [
      'is decoded',
      'postgres://u%40x:%3A%2f@h/my%20db',
      { username: 'u@x', password: ':/', database: 'my db' },
    ],
    ['keeps a percent sign that is not an escape', 'postgres://u:100%@h/d', { password: '100%' }],
    [
      'may contain an IPv6 address',
      'postgres://u:p@[2001:DB8::1]:5433/d',
      { hostname: '2001:db8::1', port: 5433 },
    ],
    [
      'does not determine the TLS mode',
      'postgres://u:p@h/d?sslmode=disable',
      { tls: { mode: 'verify-full' } },
    ],
    [
      'may have an invalid timeout, which is ignored',
      'postgres://u:p@h/d?connect_timeout=x',
      { connectTimeoutSeconds: 20 },
    ],
  ])('%s', (_, uri, expected) => {
    expect(uriOf(uri)).toMatchObject(expected);
  });
});

test.each([
  ['db/schema.sql', [{ path: resolve('/w', 'db/schema.sql'), name: 'db/schema.sql' }]],
  [
    '[a.sql, b]',
    [
      { path: resolve('/w', 'a.sql'), name: 'a.sql' },
      { path: resolve('/w', 'b'), name: 'b' },
    ],
  ],
])('the embedded source runs files and folders next to the config: %s', (written, schema) => {
  const settings = settingsOf(connection(`type: embedded, schema: ${written}, port: 5433`));
  expect(settings.connection).toMatchObject({ schema, port: 5433 });
});

describe('probes', () => {
  test.each<[string, string, string | undefined, object]>([
    ['are all on if the section is missing', '', undefined, { files: true, http: true }],
    ['are only files if there is no API', '', 'sync', { files: true, http: false }],
    ['are off in an empty section', '{ probes: {} }', undefined, { files: false, http: false }],
    ['may be files', '{ probes: { use_filesystem: true } }', undefined, { files: true, http: false }],
    [
      'may use HTTP even if there is no API',
      '{ probes: { use_http: true } }',
      'sync',
      { files: false, http: true },
    ],
    ['may be in the legacy mode', '{ probes: { use_legacy: true } }', 'sync', { files: true, http: false }],
  ])('%s', (_, section, role, expected) => {
    expect(settingsOf(section && `healthcheck: ${section}`, { options: { role } }).probes).toEqual(expected);
  });
});

test('in production the log is JSON', () => {
  expect(settingsOf('', { env: { NODE_ENV: 'production' } }).logging.format).toBe('json');
});

describe('Supabase', () => {
  const config = (host: string): string =>
    `${connection(`type: postgresql, uri: "postgres://u:p@${host}/d"`)}\nclient_auth: { supabase: true, supabase_jwt_secret: s }`;

  test('publishes its keys at an address that follows from the host of the database', () => {
    expect(settingsOf(config('db.abc.supabase.co')).clientAuth.supabase).toEqual({
      secret: 's',
      keySetUri: 'https://abc.supabase.co/auth/v1/.well-known/jwks.json',
    });
  });

  test('has no known address for its keys if the host is a pooler', () => {
    const text = config('aws.pooler.supabase.com');
    expect(settingsOf(text).clientAuth.supabase).toEqual({ secret: 's' });
    const { warnings } = load({ files: { 'service.yaml': text } });
    expect(warnings.join('\n')).toContain('is not db.PROJECT.supabase.co, so no key set is derived from it.');
  });
});

describe('warnings', () => {
  const warningsOf = (text: string): readonly string[] => load({ files: { 'service.yaml': text } }).warnings;
  const closed = '`api.tokens` is empty, so every call of the API is refused.';
  const noClients = 'There is no `client_auth`, so every client is refused.';

  test.each<[string, string, readonly string[]]>([
    ['that nobody can connect', '', [noClients, closed]],
    [
      'of a token that no request can have',
      'api: { tokens: [ok, not ok] }',
      [noClients, 'A token in `api.tokens` contains a space, so every call with it is refused.'],
    ],
    [
      'of unknown keys',
      'prot: 1',
      [
        'service.yaml:1:1: Services ignore `prot`: there is no such key here. Did you mean `port`?',
        noClients,
        closed,
      ],
    ],
    [
      'of keys without an audience',
      'client_auth: { jwks_uri: "http://a/k" }',
      [
        'service.yaml:1:1: Without an accepted audience every token is rejected (SVC_S2105). List the `aud` of your tokens.',
        closed,
      ],
    ],
    [
      'of a missing file',
      'sync_config: { path: sync.yaml }',
      [
        'service.yaml:1:22: There is no file `sync.yaml`, seen from the folder of this one.',
        noClients,
        closed,
      ],
    ],
    [
      'exclude secrets, which every editor reports',
      'client_auth: { audience: [a], jwks: { keys: [{ kty: oct, alg: HS256, k: c2VjcmV0 }] } }',
      [closed],
    ],
  ])('%s', (_, text, warnings) => {
    expect(warningsOf(text)).toEqual(warnings);
  });
});
