import { describe, test } from 'vitest';
import { expectService } from './service.ts';

describe('!env', () => {
  test('can supply text, numbers and booleans', () => {
    expectService(`
      port: !env PS_PORT
      api:
        tokens:
          - !env PS_ADMIN_TOKEN
          - !env PS_OTHER_TOKEN::string
        parameters:
          max_concurrent_connections: !env PS_MAX::number
      telemetry:
        disable_telemetry_sharing: !env PS_QUIET::boolean
        prometheus_port: !env PS_METRICS::number
    `);
  });

  test('needs a suffix for a number or a boolean', () => {
    expectService(`
      api:
        parameters:
          max_concurrent_connections: !env PS_MAX
      #~                                   ^^^^^^ error env-wrong-type "write \`!env PS_MAX::number\`"
      telemetry:
        disable_telemetry_sharing: !env PS_QUIET::number
      #~                                ^^^^^^^^^^^^^^^^ error env-wrong-type "write \`!env PS_QUIET::boolean\`"
      migrations:
        disable_auto_migration: !env "PS_OFF::string"
      #~                             ^^^^^^^^^^^^^^^^ error env-wrong-type "write \`!env PS_OFF::boolean\`"
      metadata:
        team: !env PS_TEAM::number
      #~           ^^^^^^^^^^^^^^^ error env-wrong-type "write \`!env PS_TEAM\`"
    `);
  });

  test('cannot supply a boolean as a port', () => {
    expectService(`
      port: !env PS_PORT::boolean
      #~         ^^^^^^^^^^^^^^^^ error env-wrong-type "write \`!env PS_PORT::number\`"
    `);
  });

  test('cannot supply a list or a map', () => {
    expectService(`
      api:
        tokens: !env PS_TOKENS
      #~             ^^^^^^^^^ error env-wrong-type "must be a list."
      client_auth: !env PS_AUTH
      #~                ^^^^^^^ error env-wrong-type "must be a map of keys and values."
    `);
  });

  test('reads only names with the prefix', () => {
    expectService(`
      port: !env PORT
      #~         ^^^^ error env-without-prefix "PS_PORT"
      metadata: { home: !env HOME::string }
      #~                     ^^^^^^^^^^^^ error env-without-prefix "PS_HOME"
    `);
  });

  test('has three suffixes', () => {
    expectService(`
      port: !env PS_PORT::nmber
      #~         ^^^^^^^^^^^^^^ error env-unknown-suffix "did you mean \`number\`"
      metadata: { a: !env PS_A::int }
      #~                  ^^^^^^^^^ error env-unknown-suffix "::string, ::number and ::boolean."
    `);
  });

  test('needs a name', () => {
    expectService(`
      port: !env
      #~@0-4 error env-not-a-scalar
      api:
        tokens: !env [PS_A, PS_B]
      #~             ^^^^^^^^^^^^ error env-not-a-scalar
    `);
  });

  test('is also checked below unknown keys, because services read the whole file', () => {
    expectService(`
      other:
      #~@0-5 warning service-unknown-key
        - deep: [!env SECRET]
      #~              ^^^^^^ error env-without-prefix
    `);
  });

  test('has no known value, so neither its range nor its choice is checked', () => {
    expectService(`
      port: !env PS_PORT::number
      system:
        logging: { level: !env PS_LEVEL }
      storage:
        type: !env PS_STORAGE_TYPE
        anything: true
    `);
  });
});

test('services ignore other tags', () => {
  expectService(`
    port: !Env PS_PORT
    #~         ^^^^^^^ warning unknown-tag "did you mean \`!env\`"
    #~         ^^^^^^^ error service-wrong-type
    metadata:
      team: !secret blue
    #~              ^^^^ warning unknown-tag "ignore the tag \`!secret\`, so this is plain text."
      size: !!str 5
  `);
});

describe('aliases', () => {
  test('have the values that they refer to', () => {
    expectService(`
      replication:
        connections:
          - &db
            type: postgresql
            uri: !env PS_URI
            sslmode: require
      #~             ^^^^^^^ error service-unknown-value
      storage: *db
      port: &port "99999"
      #~          ^^^^^^^ error service-out-of-range
      telemetry: { prometheus_port: *port, disable_telemetry_sharing: true }
      #~                            ^^^^^ error service-out-of-range
    `);
  });

  test('need an anchor above them', () => {
    expectService(`
      port: *nothing
      #~    ^^^^^^^^ error service-unknown-alias
    `);
  });
});
