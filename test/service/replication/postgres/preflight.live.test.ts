/** Sources that cannot be replicated, or not completely: the preflight names the cause and the remedy, and the remedy helps. */
import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ensurePoolers } from '../../../../scripts/rigs/poolers.ts';
import type { PostgresConnection } from '../../../../server/service/config/settings.ts';
import { openPostgresSource } from '../../../../server/service/replication/postgres/source.ts';
import { type PreflightCheck, problemsOf } from '../../../../server/service/replication/preflight.ts';
import { untilTrue } from '../../../support/house/eventually.ts';
import { freePort } from '../../../support/processes/freePort.ts';
import {
  postgresPrograms,
  type ServerSettings,
  startPostgres,
  superuser,
  type TestPostgres,
} from '../../../support/processes/postgres.ts';
import { pattern, world } from './support.ts';

const poolers = postgresPrograms.kind === 'missing' ? undefined : await ensurePoolers();

/** The user that loses a right in most cases. */
const role = { username: 'sync', password: 'sync secret' };

describe.skipIf(postgresPrograms.kind === 'missing')('the preflight of a source', () => {
  let postgres: TestPostgres;
  let folder = '';
  const children: ChildProcess[] = [];

  beforeAll(async () => {
    postgres = await startPostgres({}, { 'pg_hba.conf': hba });
    folder = mkdtempSync(join(tmpdir(), 'headwater-preflight-'));
    // The poolers run as a user without rights.
    chmodSync(folder, 0o755);
  });

  afterAll(async () => {
    for (const child of children) child.kill('SIGKILL');
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const hba = `host all hba_refused all reject
hostnossl all needs_tls all reject
host all all all scram-sha-256
`;

  const checkAt = async (changes: Partial<PostgresConnection>): Promise<readonly PreflightCheck[]> => {
    const source = await openPostgresSource(postgres.connection({ ...role, ...changes }), world);
    const checks = await source.preflight([pattern('public.notes'), pattern('app.logs')]);
    await source.close();
    expect(JSON.stringify(checks)).not.toContain(role.password);
    return checks;
  };

  /** A database that can be replicated by a role of its own. */
  const prepare = async () => {
    const database = await postgres.createDatabase();
    const username = `sync_${database}`;
    await postgres.query(
      `CREATE ROLE ${username} LOGIN REPLICATION PASSWORD '${role.password}';
       CREATE TABLE notes (id int PRIMARY KEY, owner text, body text);
       CREATE SCHEMA app; CREATE TABLE app.logs (id int PRIMARY KEY);
       GRANT USAGE ON SCHEMA app TO ${username}; GRANT SELECT ON notes, app.logs TO ${username};
       CREATE PUBLICATION powersync FOR TABLE notes, app.logs`,
      undefined,
      database,
    );
    return { database, username, sql: (text: string) => postgres.query(text, undefined, database) };
  };

  const healthy: readonly string[] = [
    'source ok',
    'wal-level ok',
    'replication ok',
    'slots ok',
    'publication ok',
    'rights ok',
    'replica-identity ok',
  ];

  const statesOf = (checks: readonly PreflightCheck[]) => checks.map(({ id, state }) => `${id} ${state}`);
  const codesOf = (checks: readonly PreflightCheck[]) => problemsOf(checks).map(({ code }) => code);

  test('accepts a source that can be replicated, and leaves nothing in it', async () => {
    const { database, username, sql } = await prepare();
    expect(statesOf(await checkAt({ database, username }))).toEqual(healthy);
    expect(await sql('SELECT slot_name FROM pg_replication_slots')).toEqual([]);
  });

  test('claims nothing about tables that were not found', async () => {
    const { database, username, sql } = await prepare();
    await sql('CREATE VIEW seen AS SELECT * FROM notes');
    const source = await openPostgresSource(postgres.connection({ ...role, database, username }), world);
    const checks = await source.preflight([
      pattern('public.notes'),
      pattern('public.seen'),
      pattern('app.gone'),
    ]);
    await source.close();
    expect(statesOf(checks)).toEqual(healthy);
    const claims = checks.slice(-3).flatMap((check) => (check.state === 'ok' ? check.message : []));
    expect(claims).toHaveLength(3);
    for (const claim of claims) expect(claim).toMatch(/ that was found\b.* Not found: seen, app\.gone\.$/);
  });

  const cases: readonly (readonly [name: string, spoil: string, code: string])[] = [
    ['a role without LOGIN', 'ALTER ROLE $role NOLOGIN', 'SVC_S1170'],
    ['a role without REPLICATION', 'ALTER ROLE $role NOREPLICATION', 'SVC_S1161'],
    ['a role without SELECT', 'REVOKE SELECT ON notes FROM $role', 'SVC_S1165'],
    ['a role without USAGE on a schema', 'REVOKE USAGE ON SCHEMA app FROM $role', 'SVC_S1165'],
    [
      'a role that may read only one column',
      'REVOKE SELECT ON notes FROM $role; GRANT SELECT (id) ON notes TO $role',
      'SVC_S1165',
    ],
    ['a role without CONNECT', 'REVOKE CONNECT ON DATABASE $database FROM PUBLIC', 'SVC_S1170'],
    ['a role without connections', 'ALTER ROLE $role CONNECTION LIMIT 0', 'SVC_S1170'],
    ['a database without connections', 'ALTER DATABASE $database CONNECTION LIMIT 0', 'SVC_S1170'],
    ['no publication', 'DROP PUBLICATION powersync', 'SVC_S1141'],
    ['a publication without a table', 'ALTER PUBLICATION powersync DROP TABLE app.logs', 'SVC_S1167'],
    ['a publication of inserts only', "ALTER PUBLICATION powersync SET (publish = 'insert')", 'SVC_S1142'],
    [
      'a publication of root tables',
      'ALTER PUBLICATION powersync SET (publish_via_partition_root = true)',
      'SVC_S1143',
    ],
    [
      'a publication with a row filter',
      'ALTER PUBLICATION powersync SET TABLE notes WHERE (id > 0), app.logs',
      'SVC_S1166',
    ],
    [
      'a publication with a column list',
      'ALTER PUBLICATION powersync SET TABLE notes (id, owner), app.logs',
      'SVC_S1166',
    ],
    ['a table without a key', 'ALTER TABLE notes DROP CONSTRAINT notes_pkey', 'SVC_S1168'],
    [
      'a table with a deferrable key',
      'ALTER TABLE notes DROP CONSTRAINT notes_pkey; ALTER TABLE notes ADD PRIMARY KEY (id) DEFERRABLE',
      'SVC_S1168',
    ],
    ['a table with replica identity nothing', 'ALTER TABLE notes REPLICA IDENTITY NOTHING', 'SVC_S1168'],
    ['row-level security', 'ALTER TABLE notes ENABLE ROW LEVEL SECURITY', 'SVC_S1145'],
  ];

  test.each(cases)('names %s and its remedy', async (_, spoil, code) => {
    const { database, username, sql } = await prepare();
    const fill = (text: string) => text.replaceAll('$role', username).replaceAll('$database', database);
    await sql(fill(spoil));
    const checks = await checkAt({ database, username });
    expect(codesOf(checks)).toEqual([code]);
    const [problem] = problemsOf(checks);
    expect(problem?.cause).toMatch(/\.$/);
    const statements = problem?.statements ?? [];
    expect(statements).not.toEqual([]);
    for (const statement of statements) expect(problem?.remedy).toContain(statement);
    for (const statement of statements) await sql(statement);
    expect(statesOf(await checkAt({ database, username }))).toEqual(healthy);
  });

  const identities = {
    'its key': 'ALTER TABLE notes ADD PRIMARY KEY (id)',
    'a deferrable key': 'ALTER TABLE notes ADD PRIMARY KEY (id) DEFERRABLE',
    'no key': '',
    'an index':
      'ALTER TABLE notes ADD PRIMARY KEY (id); CREATE UNIQUE INDEX by_owner ON notes (owner); ALTER TABLE notes REPLICA IDENTITY USING INDEX by_owner',
    'all columns': 'ALTER TABLE notes REPLICA IDENTITY FULL',
    nothing: 'ALTER TABLE notes ADD PRIMARY KEY (id); ALTER TABLE notes REPLICA IDENTITY NOTHING',
  };
  const publications = [
    'notes',
    'notes (id, owner, body)',
    'notes (id, body)',
    'notes (owner, body)',
    'notes WHERE (id > 0)',
    "notes WHERE (owner <> 'x')",
    "notes (id, body) WHERE (id > 0 AND body <> 'x')",
  ];

  test('says exactly of which tables the source refuses to change rows, and mends that', async () => {
    const { database, username, sql } = await prepare();
    const mayChange = () =>
      sql(`UPDATE notes SET body = 'changed'`).then(
        () => true,
        () => false,
      );
    const isRefused = async () => {
      const found = problemsOf(await checkAt({ database, username }));
      return found.find(({ code }) => code === 'SVC_S1168');
    };
    for (const [name, identity] of Object.entries(identities)) {
      for (const published of publications) {
        const each = `${name}, ${published}`;
        await sql(
          `DROP TABLE notes; CREATE TABLE notes (id int NOT NULL, owner text NOT NULL, body text);
           ${identity}; ALTER PUBLICATION powersync ADD TABLE ${published};
           GRANT SELECT ON notes TO ${username}; INSERT INTO notes VALUES (1, 'ada', 'first')`,
        );
        const problem = await isRefused();
        expect([each, problem === undefined]).toEqual([each, await mayChange()]);
        for (const statement of problem?.statements ?? []) await sql(statement);
        expect([each, await mayChange(), await isRefused()]).toEqual([each, true, undefined]);
      }
    }
  });

  test('names a wrong password', async () => {
    const { database, username } = await prepare();
    const checks = await checkAt({ database, username, password: 'another' });
    expect(codesOf(checks)).toEqual(['SVC_S1170']);
    expect(problemsOf(checks)[0]?.remedy).toContain(`ALTER ROLE "${username}" PASSWORD`);
  });

  test('names a database that does not exist', async () => {
    const { username } = await prepare();
    expect(codesOf(await checkAt({ database: 'nowhere', username }))).toEqual(['SVC_S1172']);
  });

  test('names a port without a server', async () => {
    const checks = await checkAt({ port: await freePort() });
    expect(codesOf(checks)).toEqual(['SVC_S1121']);
    expect(
      statesOf(checks)
        .slice(1)
        .every((each) => each.endsWith(' unchecked')),
    ).toBe(true);
  });

  test('names pg_hba.conf with the line that helps, also for a role that needs TLS', async () => {
    for (const username of ['hba_refused', 'needs_tls']) {
      await postgres.query(`CREATE ROLE ${username} LOGIN REPLICATION PASSWORD '${role.password}'`);
      const [problem] = problemsOf(await checkAt({ username }));
      expect(problem?.code).toBe('SVC_S1171');
      expect(problem?.remedy).toContain(`host "postgres" "${username}" 127.0.0.1/32 scram-sha-256`);
    }
  });

  test('names a server without TLS if the config requires it', async () => {
    const { database, username } = await prepare();
    const [problem] = problemsOf(await checkAt({ database, username, tls: { mode: 'verify-full' } }));
    expect(problem?.cause).toContain('sslmode: disable');
  });

  test('does not report slots as ok while a slot waits for a transaction', async () => {
    const { database, username } = await prepare();
    const open = await postgres.client(database);
    await open.query('BEGIN; SELECT txid_current()');
    const checks = await checkAt({ database, username });
    expect(statesOf(checks)[3]).toBe('slots unchecked');
    // The check occupies no slot and no connection any more, although the transaction is still open.
    await untilTrue(async () => {
      const left = `SELECT slot_name FROM pg_replication_slots UNION ALL SELECT pid::text FROM pg_stat_replication`;
      return (await postgres.query(left)).length === 0;
    });
    await open.query('ROLLBACK');
    await open.end();
    expect(statesOf(await checkAt({ database, username }))).toEqual(healthy);
  });

  test('makes the health of the source fatal if the role loses a right later', async () => {
    const { database, username, sql } = await prepare();
    const source = await openPostgresSource(postgres.connection({ ...role, database, username }), world);
    expect(await source.health()).toEqual({ connected: true, problems: [] });
    await sql(`ALTER ROLE ${username} NOREPLICATION`);
    const [problem] = problemsOf(await source.preflight('nothing is deployed'));
    const { problems } = await source.health();
    expect(problems).toMatchObject([{ level: 'fatal', code: 'SVC_S1161' }]);
    expect(problems[0]?.message).toContain(`${problem?.cause} ${problem?.remedy}`);
    await sql(`REVOKE SELECT ON notes FROM ${username}`);
    const [notes] = await source.tables([pattern('public.notes')]);
    expect(notes?.problems).toMatchObject([{ level: 'fatal', code: 'SVC_S1165' }]);
    await source.close();
  });

  const listens = (port: number) =>
    new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(socket.destroy() !== undefined));
      socket.once('error', () => resolve(false));
    });

  const startProgram = async (program: string, args: readonly string[], port: number) => {
    const owner = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
    children.push(spawn(program, args, { stdio: 'ignore', ...owner }));
    await untilTrue(() => listens(port));
  };

  test.skipIf(poolers?.pgbouncer === undefined).each(['transaction', 'session'])(
    'recognises PgBouncer in %s mode, and names the address behind it',
    async (mode) => {
      const { database, username } = await prepare();
      const port = await freePort();
      const ini = join(folder, `${mode}.ini`);
      const users = join(folder, `${mode}.users`);
      writeFileSync(users, `"${username}" "${role.password}"\n`, { mode: 0o644 });
      writeFileSync(
        ini,
        `[databases]\n${database} = host=127.0.0.1 port=${postgres.port}\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = ${port}\nunix_socket_dir =\nauth_type = plain\nauth_file = ${users}\npool_mode = ${mode}\n`,
        { mode: 0o644 },
      );
      await startProgram(poolers?.pgbouncer ?? '', [ini], port);
      const checks = await checkAt({ database, username, port });
      expect(codesOf(checks)).toEqual(['SVC_S1162']);
      expect(problemsOf(checks)[0]?.remedy).toContain(`host 127.0.0.1, port ${postgres.port}`);
      expect(statesOf(await checkAt({ database, username, port: postgres.port }))).toEqual(healthy);
    },
  );

  test.skipIf(poolers?.haproxy === undefined)(
    'accepts HAProxy, and reports a missing server behind it',
    async () => {
      const { database, username } = await prepare();
      const [port, deadPort, nowhere] = [await freePort(), await freePort(), await freePort()];
      const config = join(folder, 'haproxy.cfg');
      writeFileSync(
        config,
        `defaults\n mode tcp\n timeout connect 5s\n timeout client 60s\n timeout server 60s\nlisten good\n bind 127.0.0.1:${port}\n server one 127.0.0.1:${postgres.port}\nlisten dead\n bind 127.0.0.1:${deadPort}\n retries 0\n server one 127.0.0.1:${nowhere}\n`,
        { mode: 0o644 },
      );
      await startProgram(poolers?.haproxy ?? '', ['-f', config], port);
      expect(statesOf(await checkAt({ database, username, port }))).toEqual(healthy);
      expect(codesOf(await checkAt({ database, username, port: deadPort }))).toEqual(['SVC_S1121']);
    },
  );

  describe('of a server with other settings', () => {
    const settings: readonly (readonly [string, ServerSettings, string, string])[] = [
      ['wal_level replica', { wal_level: 'replica' }, 'SVC_S1120', "wal_level = 'logical'"],
      ['no senders', { max_wal_senders: '0' }, 'SVC_S1120', 'max_wal_senders = 10'],
      ['no slots', { max_replication_slots: '0' }, 'SVC_S1120', 'max_replication_slots = 10'],
    ];
    test.each(settings)('names %s', async (_, changed, code, remedy) => {
      const { database, username } = await prepare();
      await postgres.restart(changed);
      const checks = await checkAt({ database, username });
      expect(problemsOf(checks)[0]).toMatchObject({ code, remedy: expect.stringContaining(remedy) });
      expect(statesOf(checks)[3]).not.toBe('slots ok');
      await postgres.restart({ wal_level: 'logical', max_wal_senders: '30', max_replication_slots: '30' });
      expect(statesOf(await checkAt({ database, username }))).toEqual(healthy);
    });

    test('reports that all slots are in use, and names the slots without a reader', async () => {
      const { database, username, sql } = await prepare();
      await postgres.restart({ max_replication_slots: '1' });
      await sql("SELECT pg_create_logical_replication_slot('forgotten', 'pgoutput')");
      const [problem] = problemsOf(await checkAt({ database, username }));
      expect(problem?.code).toBe('SVC_S1163');
      const drop = "SELECT pg_drop_replication_slot('forgotten');";
      expect(problem?.remedy).toContain(drop);
      await sql(drop);
      expect(statesOf(await checkAt({ database, username }))).toEqual(healthy);
      await postgres.restart({ max_replication_slots: '30' });
    });

    test('reports that all replication connections are in use', async () => {
      const { database, username } = await prepare();
      await postgres.restart({ max_wal_senders: '1' });
      const { openClient } = await import('../../../../server/service/postgres/client.ts');
      const held = await openClient(postgres.connection({ ...superuserOf, database }), 'replication');
      expect(codesOf(await checkAt({ database, username }))).toEqual(['SVC_S1164']);
      await held.end();
      await expect.poll(async () => statesOf(await checkAt({ database, username }))).toEqual(healthy);
      await postgres.restart({ max_wal_senders: '30' });
    });
  });

  const superuserOf = { username: superuser.user, password: superuser.password };
});
