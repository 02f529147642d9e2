import { describe, test } from 'vitest';
import { expectService } from './service.ts';

describe('keys', () => {
  test('an unknown key is a warning that suggests a similar key', () => {
    expectService(`
      telemtry:
      #~@0-8 warning service-unknown-key "did you mean \`telemetry\`"
        disable_telemetry_sharing: true
      api:
        tokns: []
      #~^^^^^ warning service-unknown-key "did you mean \`tokens\`"
        parameters:
          max_bucket_per_connection: 5
      #~  ^^^^^^^^^^^^^^^^^^^^^^^^^ warning service-unknown-key "max_buckets_per_connection"
    `);
  });

  test('a key that already exists is not suggested', () => {
    expectService(`
      system:
        logging: { level: info, levels: info }
      #~                        ^^^^^^ warning service-unknown-key "no such key here."
    `);
  });

  test('names from the object prototype are also unknown', () => {
    expectService(`
      constructor: 1
      #~@0-11 warning service-unknown-key
      __proto__: { port: x }
      #~@0-9 warning service-unknown-key
      replication:
        connections:
          - type: toString
      #~          ^^^^^^^^ error service-unknown-value
    `);
  });

  test('the keys of the newest reference service are accepted', () => {
    expectService(`
      replication:
        connections:
          - type: mssql
      #~          ^^^^^ warning service-not-embedded
            uri: !env PS_URI
            authentication:
              type: azure-active-directory-service-principal-secret
              options: { clientId: one, clientSecret: !env PS_SECRET, tenantId: two }
      storage:
        type: mongodb
        uri: !env PS_STORAGE_URI
        object_storage: { type: s3, bucket: rows, region: eu-west-1, defaults_mode: in-region }
      sync_config: { path: sync.yaml, version_label: spring }
    `);
  });

  test('the content of an unknown key is not checked', () => {
    expectService(`
      dashboard:
      #~@0-9 warning service-unknown-key
        port: high
        password: secret
    `);
  });

  test('keys of the other command-line tool, and any keys of free-form sections, are accepted', () => {
    expectService(`
      _type: self-hosted
      metadata: { team: blue, any: thing }
      parameters: { limit: 5, name: x, on: true, nothing: null }
      replication: { connections: [] }
    `);
  });

  test('a hosted instance has its own keys', () => {
    expectService(`
      _type: cloud
      #~     ^^^^^ hint service-cloud
      name: my instance
      region: eu
      client_auth: {}
    `);
  });

  test('a missing key is reported at the key that needs it', () => {
    expectService(`
      telemetry:
      #~@0-9 error service-missing-key "\`telemetry\` needs \`disable_telemetry_sharing\`"
        prometheus_port: 9090
      replication:
        connections:
          - id: main
      #~    ^^ error service-missing-key "needs \`type\`"
    `);
  });

  test.each(['sync_rules:', 'replication: { connections: [] }\nsync_rules:'])(
    'older names of keys are reported as hints: %j',
    (start) => {
      expectService(`${start}\n#~@0-10 hint service-deprecated-key "sync_config"\n  path: sync.yaml\n`);
    },
  );

  test('keys that services no longer read are reported', () => {
    expectService(`
      dev: { demo_auth: true }
      #~@0-3 warning service-ignored-key
      client_auth:
        jwks_uri: https://auth.example.com/keys
        audience: [app]
        allow_local_jwks: true
      #~^^^^^^^^^^^^^^^^ warning service-ignored-key
        block_local_jwks: true
      #~^^^^^^^^^^^^^^^^ hint service-deprecated-key "jwks_reject_ip_ranges"
      healthcheck:
        probes:
          use_legacy: true
      #~  ^^^^^^^^^^ hint service-deprecated-key "use_http"
    `);
  });
});

describe('values', () => {
  test('each message describes the expected type', () => {
    expectService(`
      port: high
      #~    ^^^^ error service-wrong-type "a port number"
      metadata: { a: 1 }
      #~             ^ error service-wrong-type "text, in quotes"
      api:
        tokens: secret
      #~        ^^^^^^ error service-wrong-type "a list"
        parameters:
          max_concurrent_connections: "200"
      #~                              ^^^^^ error service-wrong-type "a number, without quotes"
          bucket_count_cache_ttl_minutes: 1.5
      #~                                  ^^^ error service-wrong-type "a whole number"
      migrations:
        disable_auto_migration: yes
      #~                        ^^^ error service-wrong-type "true or false."
      client_auth: nobody
      #~           ^^^^^^ error service-wrong-type "a map"
      storage: []
      #~       ^^ error service-wrong-type "a map"
    `);
  });

  test('a password of digits must be quoted', () => {
    expectService(`
      storage:
        type: postgresql
        hostname: localhost
        username: me
        password: 12345
      #~          ^^^^^ error service-wrong-type "text, in quotes"
        database: app
    `);
  });

  test('a key without a value is reported at the key', () => {
    expectService(`
      port:
      #~@0-4 error service-missing-value "a port number"
      api:
      #~@0-3 error service-missing-value "a map"
        # tokens: [x]
      migrations: ~
      #~          ^ error service-wrong-type "a map"
    `);
  });

  test('a value that is not in a list is reported with the list', () => {
    expectService(`
      system:
        logging:
          level: warning
      #~         ^^^^^^^ error service-unknown-value "silly, debug, verbose, http, info, warn or error"
          format: jsno
      #~          ^^^^ error service-unknown-value "did you mean \`json\`"
      storage:
        type: embedded
      #~      ^^^^^^^^ hint service-embedded-only
        default_storage_version: 1
      #~                         ^ error service-unknown-value "2 or 3"
    `);
  });

  test('numbers have limits', () => {
    expectService(`
      port: 70000
      #~    ^^^^^ error service-out-of-range "from 0 to 65535"
      telemetry:
        disable_telemetry_sharing: true
        prometheus_port: "70000"
      #~                 ^^^^^^^ error service-out-of-range "from 0 to 65535"
      api:
        parameters:
          checkpoint_request_retention_minutes: 0
      #~                                        ^ error service-out-of-range "at least 1"
    `);
  });

  test('a port may be a text that consists of digits', () => {
    expectService(`
      port: "8080"
    `);
  });

  test('a file that is not a map is not a service config', () => {
    expectService(`
      - port: 8080
      #~^^^^^^^^^^ error service-wrong-type
    `);
  });

  test('an empty file is a service config with all defaults', () => {
    expectService('');
    expectService('# nothing yet\n');
  });
});
