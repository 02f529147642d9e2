import { createServer, type Server } from 'node:net';
import { inspect } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { PostgresConnection, TlsSettings } from '../../../../server/service/config/settings.ts';
import { openQueries } from '../../../../server/service/replication/postgres/queries.ts';
import { openPostgresSource } from '../../../../server/service/replication/postgres/source.ts';
import { makeCertificates } from '../../../support/processes/certificates.ts';
import { type FaultyProxy, startFaultyProxy } from '../../../support/processes/faultyProxy.ts';
import {
  postgresPrograms,
  startPostgres,
  superuser,
  type TestPostgres,
} from '../../../support/processes/postgres.ts';
import { failureOf, follow, neverAborted, options, pattern, unwatched, world } from './support.ts';

describe.skipIf(postgresPrograms.kind === 'missing')('a connection to Postgres', () => {
  let postgres: TestPostgres;

  beforeAll(async () => {
    postgres = await startPostgres();
  });

  afterAll(() => postgres.stop());

  const failing = async (changes: Partial<PostgresConnection>) => {
    const source = await openPostgresSource(postgres.connection(changes), world);
    const failure = await failureOf(source.position());
    const health = await source.health();
    await source.close();
    expect(health).toEqual({ connected: false, problems: [{ level: 'fatal', message: failure.message }] });
    for (const text of [inspect(failure, { depth: 10 }), inspect(health, { depth: 10 })]) {
      expect(text).not.toContain(changes.password ?? superuser.password);
    }
    return `${failure.kind}: ${failure.message.replaceAll(String(postgres.port), 'PORT')}`;
  };

  test('is not needed to open the source', async () => {
    const source = await openPostgresSource(
      postgres.connection({ port: 1, hostname: 'nowhere.invalid' }),
      world,
    );
    expect(source.uri).toBe('postgresql://nowhere.invalid:1/postgres');
    await source.close();
  });

  test('with a wrong password is refused', async () => {
    expect(await failing({ password: 'wrong secret' })).toBe(
      'refused: The server does not accept the password of the user "postgres". Correct `username` and `password` in the service config, or run: ALTER ROLE "postgres" PASSWORD \'…\';',
    );
  });

  test('to a database that does not exist fails as a problem of the settings', async () => {
    expect(await failing({ database: 'none' })).toBe(
      'settings: There is no database "none". Correct the database in the service config: its key `database`, or the end of its `uri`.',
    );
  });

  test('to a port without a server is unreachable', async () => {
    expect(await failing({ port: 1 })).toBe(
      'unreachable: Nothing listens at 127.0.0.1:1: is the database running there?',
    );
    expect(await failing({ port: 1, hostname: 'localhost' })).toBe(
      'unreachable: Nothing listens at localhost:1: is the database running there?',
    );
  });

  test('to a host that does not exist is unreachable', async () => {
    expect(await failing({ hostname: 'nowhere.invalid' })).toBe(
      'unreachable: The host of nowhere.invalid:PORT is unknown.',
    );
  });

  test('to a server that never answers is given up', async () => {
    const silent: Server = createServer(() => {});
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const address = silent.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const failure = await failing({ port, connectTimeoutSeconds: 0.2 });
    silent.close();
    expect(failure).toBe(`unreachable: 127.0.0.1:${port} does not answer.`);
  });

  describe('that waits for an answer', () => {
    let proxy: FaultyProxy;
    beforeEach(async () => {
      proxy = await startFaultyProxy(postgres.port);
    });
    afterEach(() => proxy.close());
    const asking = (sql: string) => {
      const queries = openQueries(postgres.connection({ port: proxy.port, maxPoolSize: 1 }));
      return { answer: queries.all(sql), queries };
    };
    const working = (sql: string) => () =>
      postgres.query(`SELECT pid FROM pg_stat_activity WHERE state = 'active' AND query = '${sql}'`);

    test('stays open as long as the server works on the answer', async () => {
      const { answer, queries } = asking('SELECT 1 AS one FROM pg_sleep(9)');
      expect(await answer).toEqual([{ one: 1 }]);
      await queries.close();
    });

    test('is given up if the server has answered and the answer is lost', async () => {
      const sql = 'SELECT pg_sleep(1)';
      const { answer, queries } = asking(sql);
      answer.catch(() => undefined);
      await expect.poll(working(sql)).toHaveLength(1);
      proxy.setPresent('swallow');
      expect(await failureOf(answer)).toMatchObject({ kind: 'unreachable' });
      expect(await queries.all('SELECT 2 AS two')).toEqual([{ two: 2 }]);
      await queries.close();
    });

    test('is given up if the server does not answer on any connection', async () => {
      const sql = 'SELECT pg_sleep(2)';
      const { answer, queries } = asking(sql);
      answer.catch(() => undefined);
      await expect.poll(working(sql)).toHaveLength(1);
      proxy.set('swallow');
      expect(await failureOf(answer)).toMatchObject({ kind: 'unreachable' });
      await queries.close();
    });
  });

  test.each([
    ['127.0.0.1', 'local'],
    ['localhost', 'local'],
    ['localhost', '127.0.0.0/8'],
    ['127.0.0.1', 'no range'],
  ])('to %s is not made when the config rejects %s', async (hostname, range) => {
    expect(await failing({ hostname, rejectIpRanges: ['192.0.2.0/24', '::1', range] })).toBe(
      `settings: The address of "${hostname}" is in a range that the configuration rejects (reject_ip_ranges).`,
    );
  });

  test('to an address outside of the rejected ranges is made', async () => {
    const source = await openPostgresSource(postgres.connection({ rejectIpRanges: ['10.0.0.0/8'] }), world);
    expect(await source.health()).toMatchObject({ connected: true });
    await source.close();
  });

  test('with TLS to a server without TLS fails with the setting to change', async () => {
    expect(await failing({ tls: { mode: 'verify-full' } })).toBe(
      'settings: The server at 127.0.0.1 does not support TLS. If the connection to it is safe, for example on one machine, set `sslmode: disable`.',
    );
  });
});

const certificates = makeCertificates(superuser.user);

describe.skipIf(postgresPrograms.kind === 'missing' || certificates === undefined)(
  'TLS with Postgres',
  () => {
    let postgres: TestPostgres;
    const { ca = '', server, client } = certificates ?? {};

    beforeAll(async () => {
      postgres = await startPostgres(
        { ssl: 'on', ssl_cert_file: 'server.crt', ssl_key_file: 'server.key', ssl_ca_file: 'ca.crt' },
        {
          'server.crt': server?.certificate ?? '',
          'server.key': server?.key ?? '',
          'ca.crt': ca,
          // The rig itself connects without TLS. Users of the database `guarded` need a certificate.
          'pg_hba.conf': `host postgres,replication all all scram-sha-256
hostssl guarded all all scram-sha-256 clientcert=verify-full
hostnossl all all all reject
`,
        },
      );
      await postgres.query('CREATE DATABASE guarded');
    });

    afterAll(() => postgres.stop());

    const connecting = async (
      tls: TlsSettings,
      changes: Partial<PostgresConnection> = {},
    ): Promise<string> => {
      const source = await openPostgresSource(postgres.connection({ tls, ...changes }), world);
      try {
        await source.position();
        // The source queries with a role that cannot see sessions, so the rig reads them.
        const sessions = await postgres.query(
          `SELECT DISTINCT ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE application_name = 'headwater'`,
        );
        return sessions.every(({ ssl }) => ssl === true) && sessions.length > 0 ? 'encrypted' : 'plain';
      } catch (error) {
        return error instanceof Error ? error.message : String(error);
      } finally {
        await source.close();
      }
    };

    test('is used with a certificate that the given authority signed for the host', async () => {
      expect(await connecting({ mode: 'verify-full', ca }, { hostname: 'localhost' })).toBe('encrypted');
    });

    test('is refused when the certificate is for another host', async () => {
      expect(await connecting({ mode: 'verify-full', ca })).toMatch(
        /^The server's certificate is not for "127\.0\.0\.1": .*`tls_servername`/,
      );
    });

    test('checks the server name from the config', async () => {
      expect(await connecting({ mode: 'verify-full', ca, serverName: 'localhost' })).toBe('encrypted');
      expect(
        await connecting({ mode: 'verify-full', ca, serverName: 'other.example' }, { hostname: 'localhost' }),
      ).toMatch(/is not for "other\.example"/);
    });

    test('does not check the name with verify-ca', async () => {
      expect(await connecting({ mode: 'verify-ca', ca })).toBe('encrypted');
    });

    test.each(['verify-full', 'verify-ca'] as const)(
      'is refused by %s when the signer is unknown',
      async (mode) => {
        expect(await connecting({ mode }, { hostname: 'localhost' })).toMatch(
          /^TLS with localhost failed: .*`cacert`/,
        );
      },
    );

    test('is not used with disable', async () => {
      expect(await connecting({ mode: 'disable' })).toBe('plain');
    });

    test('sends the certificate of the client if the server requires one', async () => {
      const guarded = { hostname: 'localhost', database: 'guarded' };
      expect(await connecting({ mode: 'verify-full', ca }, guarded)).toMatch(/certificate/);
      const own = { certificate: client?.certificate ?? '', privateKey: client?.key ?? '' };
      expect(await connecting({ mode: 'verify-full', ca, ...own }, guarded)).toBe('encrypted');
    });

    test('is also used for replication', async () => {
      await postgres.query(
        'CREATE PUBLICATION powersync FOR ALL TABLES; CREATE TABLE t (id int PRIMARY KEY)',
      );
      const tls: TlsSettings = { mode: 'verify-full', ca };
      const source = await openPostgresSource(postgres.connection({ tls, hostname: 'localhost' }), world);
      const patterns = [pattern('public.t')];
      const stream = source.stream({ deploymentName: 'powersync_tls', patterns, options, ...unwatched });
      await stream.prepare(neverAborted);
      const follower = follow(source, stream);
      await postgres.query('INSERT INTO t VALUES (1)');
      expect((await follower.settled()).map(({ kind }) => kind)).toContain('insert');
      const encrypted = await postgres.query(
        'SELECT ssl FROM pg_stat_ssl JOIN pg_replication_slots ON active_pid = pid',
      );
      expect(encrypted).toEqual([{ ssl: true }]);
      await follower.stop();
      await source.close();
    });
  },
);
