/** `headwater doctor` on real databases and services, with one thing wrong at a time. */
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { root } from '../../scripts/root.ts';
import { keyPair } from '../support/clients/tokens.ts';
import { postgresPrograms, startPostgres, type TestPostgres } from '../support/processes/postgres.ts';
import { publish } from '../support/processes/publish.ts';
import { type RunningProcess, startProcess, until } from '../support/processes/runningProcess.ts';

let folder = '';
const started: RunningProcess[] = [];

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'headwater-doctor-')));
});

afterEach(async () => {
  await stopAll();
  rmSync(folder, { recursive: true, force: true });
});

async function stopAll(): Promise<void> {
  for (const { child } of started) child.kill('SIGTERM');
  await Promise.all(started.splice(0).map(({ ended }) => ended));
}

function start(...args: string[]): RunningProcess {
  const running = startProcess(process.execPath, [join(root, 'dist/cli.js'), ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH ?? '' },
  });
  started.push(running);
  return running;
}

async function headwater(...args: string[]) {
  const running = start(...args);
  const code = await running.ended;
  return { code, out: running.out(), err: running.err() };
}

async function dev(): Promise<RunningProcess> {
  const running = start('dev', '--port', '0');
  await until(running, () => running.out().includes('is active'));
  return running;
}

interface FoundItem {
  readonly code: number | null;
  readonly well: boolean;
  /** The checks that are not good, as `id state`. */
  readonly problems: readonly string[];
  /** The step of the first check that is not good. */
  readonly step: string | undefined;
}

async function doctor(...args: string[]): Promise<FoundItem> {
  const { code, out } = await headwater('doctor', '--json', ...args);
  const { well, checks } = JSON.parse(out) as {
    well: boolean;
    checks: { id: string; state: string; sentence: string; step?: string }[];
  };
  const problems = checks.filter(({ state }) => state !== 'good');
  return { code, well, problems: problems.map(({ id, state }) => `${id} ${state}`), step: problems[0]?.step };
}

const allUnreached = [
  'service bad',
  ...['version', 'deployed', 'active', 'keys', 'token', 'sync'].map((id) => `${id} unknown`),
];

describe('a project of headwater init', () => {
  test('is well while dev runs, and each thing that goes wrong is named first', async () => {
    await headwater('init');
    expect(await doctor()).toMatchObject({ code: 1, problems: ['tables unknown', ...allUnreached] });

    await dev();
    expect(await doctor('--user', 'ada')).toEqual({ code: 0, well: true, problems: [], step: undefined });
    const { out } = await headwater('doctor', '--user', 'ada');
    expect(out).toMatch(/^ok file: The sync config is sync.yaml.\n/);
    expect(out).toMatch(
      /\nok sync: A test device synced. Checkpoint: \d+, buckets: 1.\nNo problems found.\n$/,
    );

    const sync = readFileSync(join(folder, 'sync.yaml'), 'utf8');
    writeFileSync(join(folder, 'other.yaml'), sync.replace('name, created_at', 'name, nowhere'));
    expect(await doctor('other.yaml')).toMatchObject({
      code: 1,
      problems: ['findings warning', 'tables bad', 'deployed warning'],
    });
    writeFileSync(
      join(folder, 'other.yaml'),
      `${sync}\n  broken: { priority: 9, query: SELECT id FROM todos }\n`,
    );
    expect(await doctor('other.yaml')).toMatchObject({
      code: 1,
      problems: ['findings bad', 'tables unknown', 'deployed warning'],
      step: 'See headwater validate other.yaml.',
    });

    const env = readFileSync(join(folder, '.env'), 'utf8');
    writeFileSync(join(folder, '.env'), env.replace(/^PS_ADMIN_TOKEN=/m, 'PS_ADMIN_TOKEN=wrong'));
    expect(await doctor()).toMatchObject({ code: 1, problems: ['tables unknown', ...allUnreached] });
    writeFileSync(join(folder, '.env'), env.replace(/^PS_JWT_SECRET_B64URL=/m, 'PS_JWT_SECRET_B64URL=AAAA'));
    expect(await doctor()).toMatchObject({ code: 1, problems: ['token bad', 'sync unknown'] });
    writeFileSync(join(folder, '.env'), env.replace(/^PS_DATABASE_PASSWORD=.*\n/m, ''));
    expect((await doctor()).problems).toContain('variables bad');
    rmSync(join(folder, 'sync.yaml'));
    rmSync(join(folder, 'other.yaml'));
    expect((await doctor()).problems).toEqual([
      'file bad',
      'findings unknown',
      'variables bad',
      'tables unknown',
      'deployed unknown',
    ]);
  });
});

test('the key set with which the service verifies tokens is fetched by the service, and named if it is wrong', async () => {
  let answer = '<html>';
  const url = await publish((response) => response.end(answer));
  await headwater('init');
  const config = join(folder, 'service.yaml');
  writeFileSync(
    config,
    readFileSync(config, 'utf8').replace('  jwks:', `  jwks_uri: ${url}?key=hunter2\n  jwks:`),
  );
  await dev();
  const wrong = await headwater('doctor');
  expect(wrong.code).toBe(1);
  expect(wrong.out).toContain(
    `wrong keys: [SVC_S2204] The key set ${url} cannot be fetched, so tokens that need it are refused: The answer is not JSON.`,
  );
  expect(wrong.out).not.toContain('hunter2');
  answer = JSON.stringify({ keys: [] });
  expect((await doctor()).problems).toEqual(['keys bad']);
  answer = JSON.stringify({ keys: [keyPair('ES256').jwk] });
  expect((await headwater('doctor')).out).toContain(
    `ok keys: Tokens are verified with 1 key (HS256) of the service config and 1 key (ES256) of ${url}.`,
  );
});

describe.skipIf(postgresPrograms.kind === 'missing')('a PostgreSQL', () => {
  let postgres: TestPostgres;
  beforeAll(async () => {
    postgres = await startPostgres({ wal_level: 'replica' });
  });
  afterAll(() => postgres.stop());

  const statementIn = ({ step = '' }: Pick<FoundItem, 'step'>) =>
    /[Rr]un:? (.*?)[;.]?$/.exec(step)?.[1] ?? step;
  const ofSource = ({ problems }: FoundItem) => problems.filter((problem) => !allUnreached.includes(problem));

  test('is not taken for an embedded one where only the address of its service is known', async () => {
    writeFileSync(
      join(folder, 'elsewhere.yaml'),
      `replication: { connections: [{ type: postgresql, uri: "${postgres.uri}", sslmode: disable }] }
storage: { type: embedded, path: data }
port: 0
api: { tokens: [admin] }
`,
    );
    const serve = start('serve', '-c', 'elsewhere.yaml');
    await until(serve, () => serve.err().includes('The source is not ready to be replicated: '));
    const url = /http:\S+/.exec(serve.out())?.[0] ?? '';
    writeFileSync(join(folder, '.env'), 'PS_ADMIN_TOKEN=admin\n');
    writeFileSync(
      join(folder, 'sync.yaml'),
      'config: { edition: 3 }\nstreams: { a: { query: SELECT * FROM a } }\n',
    );
    expect((await doctor('--service', url)).problems).toContain('wal-level bad');
  });

  test('is looked at by itself, until all of it is right', async () => {
    await postgres.query(`CREATE TABLE notes (id uuid PRIMARY KEY, owner_id text);
      CREATE TABLE "Tags" (id text, owner_id text);
      CREATE SCHEMA app; CREATE TABLE app.logs (id text PRIMARY KEY)`);
    await headwater('init', '--postgres', postgres.uri);
    writeFileSync(
      join(folder, 'sync.yaml'),
      `config: { edition: 3 }
streams:
  notes: { auto_subscribe: true, query: SELECT id FROM notes WHERE owner_id = auth.user_id() }
  tags: { auto_subscribe: true, query: SELECT id FROM "Tags" WHERE owner_id = auth.user_id() }
  logs: { query: SELECT id FROM app.logs }
`,
    );
    const first = await doctor();
    expect(ofSource(first)).toEqual([
      'wal-level bad',
      'slots unknown',
      'publication bad',
      'replica-identity bad',
    ]);
    expect(first.step).toContain("ALTER SYSTEM SET wal_level = 'logical'");
    await postgres.restart({ wal_level: 'logical' });

    const second = await doctor();
    expect(ofSource(second)).toEqual(['publication bad', 'replica-identity bad']);
    expect(statementIn(second)).toBe(
      'CREATE PUBLICATION powersync FOR TABLE "app"."logs", "public"."Tags", "public"."notes"',
    );
    await postgres.query('CREATE PUBLICATION powersync FOR TABLE notes, "Tags"');
    const third = await doctor();
    expect(statementIn(third)).toBe('ALTER PUBLICATION powersync ADD TABLE "app"."logs"');
    await postgres.query(statementIn(third));

    const fourth = await doctor();
    expect(ofSource(fourth)).toEqual(['replica-identity bad']);
    await postgres.query(statementIn(fourth));
    expect(ofSource(await doctor())).toEqual([]);

    await postgres.query("SELECT pg_create_logical_replication_slot('powersync_old', 'pgoutput')");
    await postgres.query('CREATE TABLE filler (t text)');
    await postgres.query("INSERT INTO filler SELECT repeat('x', 1000) FROM generate_series(1, 100000)");
    const fifth = await doctor();
    expect(ofSource(fifth)).toEqual(['slots warning']);
    expect(fifth.step).toContain("SELECT pg_drop_replication_slot('powersync_old')");
    await postgres.query("SELECT pg_drop_replication_slot('powersync_old')");

    await dev();
    expect(await doctor()).toMatchObject({ code: 0, problems: [] });
    await postgres.query('DROP TABLE app.logs');
    expect((await doctor()).problems).toContain('tables bad');
    await stopAll();
    await postgres.halt();
    expect((await doctor()).problems).toEqual([
      'source bad',
      ...['wal-level', 'replication', 'slots', 'publication', 'rights', 'replica-identity', 'tables'].map(
        (id) => `${id} unknown`,
      ),
      ...allUnreached,
    ]);
    await postgres.resume();
  });
});
