import { describe, expect, test } from 'vitest';
import { readUri } from '../../../server/engine/service/uri.ts';
import { expectService } from './service.ts';

describe('a URI', () => {
  test('has the scheme of its database', () => {
    expectService(`
      replication:
        connections:
          - type: postgresql
            uri: mysql://me:!@localhost/app
      #~         ^^^^^^^^^^^^^^^^^^^^^^^^^^ error service-invalid-uri "postgresql://user@host/database"
      #~         ^^^^^^^^^^^^^^^^^^^^^^^^^^ warning service-literal-secret
      storage:
        type: postgresql
        uri: localhost:5432
      #~     ^^^^^^^^^^^^^^ error service-invalid-uri
    `);
    expectService(`
      storage:
        type: postgresql
        uri: postgresql://user:secret@one:5432,two:5433/app
      #~     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error service-invalid-uri
    `);
  });

  test.each([
    ['mongodb', 'mongodb+srv://cluster.example.com/app'],
    ['mongodb', 'mongodb://a:27017,b:27017/app?replicaSet=rs0'],
    ['mysql', 'mysql://me@localhost/app'],
    ['mssql', 'mssql://me@localhost/app'],
  ])('for %s may be %s', (type, uri) => {
    expectService(
      [
        'storage: { type: postgresql, uri: !env PS_URI }',
        'replication:',
        '  connections:',
        `    - type: ${type}`,
        `#~@12-${12 + type.length} warning service-not-embedded`,
        `      uri: ${uri}`,
        '',
      ].join('\n'),
    );
  });

  test('has a port that services accept', () => {
    expectService(`
      storage:
        type: postgresql
        uri: postgres://me@localhost:543/app
      #~                             ^^^ error service-out-of-range "from 1024 to 65535"
        password: !env PS_PASSWORD
    `);
  });

  test('has a port that does not matter if there is a key for the port', () => {
    expectService(`
      storage:
        type: postgresql
        uri: postgres://me@localhost:543/app
        port: 5432
        password: !env PS_PASSWORD
    `);
  });

  test('is marked at the right places in quotes and blocks', () => {
    expectService(`
      storage:
        type: postgresql
        uri: >-
          postgres://me@localhost:80/app?application_name=x&sslmode=require
      #~                          ^^ error service-out-of-range
      #~                                                    ^^^^^^^^^^^^^^^ warning service-ignored-sslmode
        password: !env PS_PASSWORD
    `);
  });

  test('cannot choose how the connection is secured', () => {
    expectService(`
      replication:
        connections:
          - type: postgresql
            uri: postgresql://me@localhost/app?sslmode=disable
      #~                                       ^^^^^^^^^^^^^^^ warning service-ignored-sslmode "write \`sslmode: disable\`"
            password: !env PS_PASSWORD
      storage:
        type: postgresql
        uri: postgresql://me@localhost/app?sslmode=disable
        sslmode: disable
        password: !env PS_PASSWORD
    `);
  });
});

describe('a connection to PostgreSQL', () => {
  test('needs host, user, password and database', () => {
    expectService(`
      replication:
        connections:
          - type: postgresql
      #~    ^^^^ error service-incomplete-connection "no host name, user name, password or database"
      storage:
        type: postgresql
        uri: postgresql://localhost
      #~     ^^^^^^^^^^^^^^^^^^^^^^ error service-incomplete-connection "no user name or database"
        password: !env PS_PASSWORD
    `);
  });

  test('may have each of these values as a key', () => {
    expectService(`
      storage:
      #~@0-7 error service-incomplete-connection "has no database."
        type: postgresql
        hostname: localhost
        username: me
        password: !env PS_PASSWORD
        database: ""
    `);
  });

  test('has limits for its numbers', () => {
    expectService(`
      storage:
        type: postgresql
        uri: !env PS_URI
        port: 80
      #~      ^^ error service-out-of-range "from 1024 to 65535"
        heartbeat_interval_seconds: 90
      #~                            ^^ error service-out-of-range "from 5 to 60"
    `);
  });

  test('may have the default heartbeat', () => {
    expectService(`
      storage: { type: postgresql, uri: !env PS_URI, heartbeat_interval_seconds: null }
    `);
  });

  test('is secured in one of three ways', () => {
    expectService(`
      storage:
        type: postgresql
        uri: !env PS_URI
        sslmode: verify_full
      #~         ^^^^^^^^^^^ error service-unknown-value "did you mean \`verify-full\`"
    `);
  });

  test('needs a certificate authority to check against', () => {
    expectService(`
      storage:
        type: postgresql
        uri: !env PS_URI
        sslmode: verify-ca
      #~         ^^^^^^^^^ error service-missing-cacert
    `);
    expectService(`
      storage: { type: postgresql, uri: !env PS_URI, sslmode: verify-ca, cacert: !env PS_CA }
    `);
  });
});

test('a certificate authority of SQL Server is used or not', () => {
  expectService(`
    replication:
      connections:
        - type: mssql
    #~          ^^^^^ warning service-not-embedded
          uri: !env PS_URI
          cacert: !env PS_CA
          additionalConfig:
            trustServerCertificate: true
    #~                              ^^^^ error service-cacert-unused
    storage: { type: postgresql, uri: !env PS_URI }
  `);
});

describe('reading a URI', () => {
  test('finds its parts', () => {
    expect(readUri('postgres://me:a:b%40c@[::1]:5432/my-app?x=1&sslmode=disable')).toEqual({
      scheme: 'postgres',
      username: 'me',
      password: 'a:b%40c',
      hostname: '[::1]',
      port: '5432',
      portSpan: { start: 28, end: 32 },
      database: 'my-app',
      sslmode: 'disable',
      sslmodeSpan: { start: 44, end: 59 },
    });
  });

  test.each(['', 'localhost', 'postgres:/x', '://x'])('finds none in %j', (text) => {
    expect(readUri(text)).toBeUndefined();
  });
});
