import { describe, test } from 'vitest';
import { expectService } from './service.ts';

describe('the type of a connection', () => {
  test('must be known, and a similar type is suggested', () => {
    expectService(`
      replication:
        connections:
          - type: postgres
      #~          ^^^^^^^^ error service-unknown-value "did you mean \`postgresql\`"
            uri: !env PS_URI
      storage:
        type: mongo
      #~      ^^^^^ error service-unknown-value "postgresql, mongodb or embedded. did you mean \`mongodb\`"
    `);
  });

  test('may be a type that the embedded service does not run', () => {
    expectService(`
      replication:
        connections:
          - type: mysql
      #~          ^^^^^ warning service-not-embedded
            uri: !env PS_URI
      storage:
        type: mongodb
        uri: !env PS_STORAGE_URI
    `);
  });

  test('is reported as not supported by the embedded service only once for each file, at the first place', () => {
    expectService(`
      replication:
        connections:
          - type: postgresql
            uri: !env PS_URI
      storage:
        type: mongodb
      #~      ^^^^^^^ warning service-not-embedded
        uri: !env PS_STORAGE_URI
    `);
  });

  test('determines the possible keys', () => {
    expectService(`
      replication:
        connections:
          - type: mongodb
      #~    ^^^^ error service-missing-key "this item of \`connections\` needs \`uri\`"
      #~          ^^^^^^^ warning service-not-embedded
            sslmode: disable
      #~    ^^^^^^^ warning service-unknown-key
      storage:
        type: postgresql
        uri: !env PS_STORAGE_URI
        batch_limits: { max_record_count: 10 }
    `);
  });

  test('is reported as missing if it has no value', () => {
    expectService(`
      storage:
        type:
      #~^^^^ error service-missing-value "text"
    `);
  });

  test('is text', () => {
    expectService(`
      storage:
        type: 5
      #~      ^ error service-unknown-value
    `);
  });
});

describe('the embedded service', () => {
  test('alone runs embedded databases, which is reported once', () => {
    expectService(`
      replication:
        connections:
          - type: embedded
      #~          ^^^^^^^^ hint service-embedded-only
            schema: migrations/
            port: 5433
      storage:
        type: embedded
        path: .headwater
    `);
  });

  test('alone runs without storage', () => {
    expectService(`
      replication:
      #~@0-11 warning service-missing-storage
        connections:
          - type: postgresql
            uri: !env PS_URI
    `);
  });

  test('needs a schema file that exists', () => {
    expectService(
      `
      replication:
        connections:
          - type: embedded
      #~          ^^^^^^^^ hint service-embedded-only
            schema: schema.sql
      #~            ^^^^^^^^^^ warning service-file-not-found
      storage: { type: embedded }
    `,
      { exists: () => false },
    );
  });

  test('but the schema of another database is only a name', () => {
    expectService(
      `
      replication:
        connections:
          - type: mssql
      #~          ^^^^^ warning service-not-embedded
            schema: dbo
      storage: { type: postgresql, uri: !env PS_URI }
    `,
      { exists: () => false },
    );
  });
});

test('an unstable storage format is a warning', () => {
  expectService(`
    storage:
      type: postgresql
      uri: !env PS_URI
      default_storage_version: 3
    #~                         ^ warning unstable-storage-version
  `);
});

test('only one connection is possible', () => {
  expectService(`
    replication:
      connections:
        - type: postgresql
          uri: !env PS_URI
        - type: postgresql
    #~    ^^^^ error service-several-connections
          uri: !env PS_OTHER_URI
        - { type: postgresql, uri: !env PS_THIRD_URI }
    #~    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error service-several-connections
    storage: { type: postgresql, uri: !env PS_STORAGE_URI }
  `);
});
