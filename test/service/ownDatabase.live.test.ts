/** A service with its own database: changes of scripts while it is running, reports about scripts, and a reset. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { patient } from '../../scripts/run/patience.ts';
import { type RunningService, startService } from '../../server/service/assembly/service.ts';
import { systemClock } from '../../server/service/ground/clock.ts';
import { clientAuth, clientToken } from '../support/clients/clientAuth.ts';
import { openStream } from '../support/clients/syncStream.ts';
import { recordLog } from '../support/processes/http.ts';
import { adminToken, serviceSettings } from '../support/service/serviceSettings.ts';

const config = `config:
  edition: 3
streams:
  lists:
    auto_subscribe: true
    query: SELECT * FROM lists
  places:
    query: SELECT * FROM places
`;

interface ReportedError {
  readonly level: string;
  readonly message: string;
  readonly code?: string;
  readonly kind?: string;
}

interface Status {
  readonly errors: readonly ReportedError[];
  readonly connections: readonly { readonly slot_name: string; readonly last_lsn?: string }[];
}

interface Diagnosis {
  readonly connections: readonly { readonly errors: readonly ReportedError[] }[];
  readonly active_sync_rules?: Status;
  readonly deploying_sync_rules?: Status;
}

let folder: string;
let service: RunningService;
let log: ReturnType<typeof recordLog>;

const write = (files: Readonly<Record<string, string>>): void => {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
};

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'headwater-own-'));
  log = recordLog();
});
afterEach(async () => {
  await service?.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function start(): Promise<void> {
  const schema = [{ path: join(folder, 'db'), name: 'db', folder }];
  const connection = { type: 'embedded', id: 'default', tag: 'default', debugApi: false, schema } as const;
  const storage = { type: 'embedded', path: join(folder, '.data') } as const;
  const world = { clock: systemClock, log, env: {}, fetch };
  const { audience, jwks } = clientAuth;
  const settings = serviceSettings({ connection, storage, clientAuth: { keys: jwks.keys, audience } });
  service = await startService(settings, folder, world);
}

async function ask<Data>(path: string, body: object | string = {}): Promise<Data> {
  const isText = typeof body === 'string';
  const response = await fetch(`${service.url}${path}`, {
    method: 'POST',
    headers: {
      authorization: `Token ${adminToken}`,
      'content-type': isText ? 'application/yaml' : 'application/json',
    },
    body: isText ? body : JSON.stringify(body),
  });
  const answer = (await response.json()) as { readonly data: Data };
  return answer.data;
}

const diagnose = (): Promise<Diagnosis> => ask('/api/admin/v1/diagnostics');

async function untilActive(): Promise<Status> {
  let status: Status | undefined;
  await expect
    .poll(
      async () => {
        const { active_sync_rules: active, deploying_sync_rules: pending } = await diagnose();
        status = pending === undefined ? active : undefined;
        return status?.connections[0]?.last_lsn;
      },
      { timeout: patient(60_000), interval: 200 },
    )
    .toBeDefined();
  return status as Status;
}

async function run(sql: string): Promise<readonly unknown[]> {
  const client = new pg.Client({ connectionString: service.database });
  await client.connect();
  try {
    return (await client.query({ text: sql, rowMode: 'array' })).rows.map(([value]) => value);
  } finally {
    await client.end();
  }
}

describe('The database of a service', () => {
  test('runs new scripts while the service is running, and reports changed ones', async () => {
    write({ 'db/1.sql': 'CREATE TABLE lists (id text PRIMARY KEY);' });
    await start();
    await ask('/api/sync-rules/v1/deploy', config);
    expect((await untilActive()).errors.map(({ message }) => message)).toContain(
      'Table "public"."places" not found.',
    );
    write({
      'db/2.sql': `CREATE TABLE places (id text PRIMARY KEY); DROP TABLE nothing;
        WITH one AS (SELECT 'x' AS id) INSERT INTO gone SELECT id FROM one;`,
    });
    const found = async (): Promise<unknown> =>
      (await diagnose()).active_sync_rules?.errors.filter(({ message }) => message.includes('not found'));
    await expect.poll(found).toEqual([]);
    const reported = () => log.lines.filter(({ message }) => message.includes('has run'));
    await expect.poll(reported).toEqual([
      { level: 'info', message: 'The embedded database has run db/1.sql.', facts: {} },
      {
        level: 'info',
        message: 'The embedded database has run db/2.sql.',
        facts: { left_out: 2, kinds: '1 drop table, 1 with' },
      },
    ]);
    const lost =
      'A statement was left out, so rows may be missing: db/2.sql:2: relation "gone" does not exist. No script of the project creates that table.';
    await expect
      .poll(() => log.lines.filter(({ level }) => level === 'warn').map(({ message }) => message))
      .toContain(lost);
    const told = async () => (await diagnose()).connections[0]?.errors;
    const ofLostRows = expect.objectContaining({ level: 'warning', code: 'SVC_S1153', message: lost });
    await expect.poll(told).toEqual([ofLostRows]);
    write({ 'db/1.sql': 'CREATE TABLE lists (id text PRIMARY KEY, name text);' });
    rmSync(join(folder, 'db/2.sql'));
    await expect.poll(told).toEqual([
      expect.objectContaining({
        level: 'warning',
        code: 'SVC_S1151',
        kind: 'scripts',
        message: expect.stringContaining('db/1.sql has been changed'),
      }),
      expect.objectContaining({
        code: 'SVC_S1151',
        message: expect.stringContaining('db/2.sql has been removed'),
      }),
    ]);
    rmSync(join(folder, 'db'), { recursive: true });
    await expect
      .poll(told)
      .toEqual([
        expect.objectContaining({ message: expect.stringContaining('db does not exist') }),
        ofLostRows,
      ]);
  });

  test.each([
    ['a new column', `ALTER TABLE lists ADD COLUMN done boolean NOT NULL DEFAULT false`, '"done":0'],
    ['another type', `ALTER TABLE lists ALTER COLUMN size TYPE text USING size || ' cm'`, '"size":"5 cm"'],
    ['a renamed label', `ALTER TYPE mood RENAME VALUE 'good' TO 'great'`, '"mood":"great"'],
  ])('reports a migration only when clients have its rows: %s', async (_, sql, part) => {
    write({
      'db/1.sql': `CREATE TYPE mood AS ENUM ('good', 'bad');
        CREATE TABLE lists (id text PRIMARY KEY, size int, mood mood);
        INSERT INTO lists SELECT i::text, 5, 'good' FROM generate_series(1, 2000) AS i;`,
    });
    await start();
    await ask('/api/sync-rules/v1/deploy', config);
    await untilActive();
    write({ 'db/2.sql': `${sql};` });
    const indexOf = (text: string) => log.lines.findIndex(({ message }) => message.includes(text));
    await expect
      .poll(() => indexOf('has run db/2.sql'), { interval: 1, timeout: patient(20_000) })
      .not.toBe(-1);
    const stream = await openStream(service.port ?? 0, { token: await clientToken('ada') });
    await stream.until(({ completed }) => completed.length > 0);
    stream.close();
    const rows = [...(stream.completed[0]?.rows.values() ?? [])];
    expect(rows.filter((row) => row.includes(part))).toHaveLength(2000);
    expect(indexOf('Copying a table again')).toBeGreaterThan(-1);
    expect(indexOf('has run db/2.sql')).toBeGreaterThan(indexOf('Copying a table again'));
  });

  test('names the statement that would have created a missing table or column', async () => {
    write({
      'db/1.sql': `CREATE TABLE lists (id text PRIMARY KEY);

        CREATE TABLE places (id text PRIMARY KEY, at h3index);
        ALTER TABLE lists ADD COLUMN name citexxt;
        GRANT SELECT ON nowhere TO PUBLIC;`,
    });
    await start();
    await ask('/api/sync-rules/v1/deploy', config);
    const missing = [
      expect.objectContaining({
        code: 'SVC_S1152',
        kind: 'left out',
        message: expect.stringMatching(
          /^Column "name" of table "public"."lists" not found\..*db\/1\.sql:4.*citexxt/,
        ),
      }),
      expect.objectContaining({
        code: 'SVC_S1152',
        message: expect.stringMatching(/^Table "public"."places" not found\..*db\/1\.sql:3.*h3index/),
      }),
    ];
    expect((await untilActive()).errors).toEqual(expect.arrayContaining(missing));
    const validated = await ask<Status>('/api/admin/v1/validate', { sync_rules: config });
    expect(validated.errors).toEqual(expect.arrayContaining(missing));
    expect(await ask('/api/admin/v1/scripts')).toMatchObject({
      connections: [
        {
          scripts: {
            applied: 1,
            skipped: [
              { script: 'db/1.sql', line: 3, reason: 'failed', tables: ['public.places'] },
              { script: 'db/1.sql', line: 4, reason: 'failed', tables: ['public.lists'] },
              { script: 'db/1.sql', line: 5, reason: 'failed', tables: [] },
            ],
          },
        },
      ],
    });
  });

  test('is created again on request, and is copied completely at a later position of the log', async () => {
    write({
      'db/1.sql': `CREATE TABLE lists (id text PRIMARY KEY); CREATE TABLE places (id text PRIMARY KEY);`,
      'db/seed.sql': `INSERT INTO lists VALUES ('seed');`,
    });
    await start();
    await ask('/api/sync-rules/v1/deploy', config);
    await run(`INSERT INTO lists VALUES ('mine')`);
    const before = await untilActive();
    write({
      'db/1.sql': `CREATE TABLE lists (id text PRIMARY KEY, name text); CREATE TABLE places (id text PRIMARY KEY);`,
    });
    const troubles = new Set<string>();
    // A very busy machine reports this temporarily.
    const isSlow = /has not answered for/;
    let isReset = false;
    const watch = async () => {
      while (!isReset) {
        const { active_sync_rules: active, deploying_sync_rules: pending, connections } = await diagnose();
        for (const { level, message } of [active, pending, ...connections].flatMap(
          (each) => each?.errors ?? [],
        ))
          if (level === 'fatal' && !isSlow.test(message)) troubles.add(message);
      }
    };
    // There are enough watchers that one always asks just when the database ends, and so few that the copy still makes progress.
    const watching = Promise.all(Array.from({ length: 6 }, watch));
    expect(await ask('/api/admin/v1/reset-database', { seed: true })).toMatchObject({
      connections: [{ scripts: { applied: 1, changed: [], removed: [], skipped: [] } }],
    });
    const after = await untilActive().finally(() => {
      isReset = true;
      return watching;
    });
    // The end of the database was requested, so it is not an error.
    expect([...troubles]).toEqual([]);
    expect(log.lines.filter(({ level }) => level === 'error')).toEqual([]);
    const [[old], [anew]] = [before.connections, after.connections];
    expect(anew?.slot_name).not.toBe(old?.slot_name);
    expect(String(anew?.last_lsn) > String(old?.last_lsn)).toBe(true);
    expect(await run('SELECT id FROM lists')).toEqual(['seed']);
    expect((await diagnose()).connections[0]?.errors).toEqual([]);
  });

  test('stays as it is when its scripts cannot be read', async () => {
    write({ 'db/1.sql': 'CREATE TABLE lists (id text PRIMARY KEY);' });
    await start();
    await run(`INSERT INTO lists VALUES ('mine')`);
    rmSync(join(folder, 'db'), { recursive: true });
    await ask('/api/admin/v1/reset-database');
    expect(await run('SELECT id FROM lists')).toEqual(['mine']);
  });
});
