/** Runs `headwater init` in folders of existing apps, and other commands on the result: as processes, on real files. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { root } from '../../scripts/root.ts';
import { patient } from '../../scripts/run/patience.ts';
import { postgresPrograms, startPostgres, type TestPostgres } from '../support/processes/postgres.ts';
import { type RunningProcess, startProcess, until } from '../support/processes/runningProcess.ts';

let folder = '';
const started: RunningProcess[] = [];

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'headwater-init-')));
});

afterEach(async () => {
  for (const { child } of started) child.kill('SIGTERM');
  await Promise.all(started.splice(0).map(({ ended }) => ended));
  rmSync(folder, { recursive: true, force: true });
});

function start(inside: string, ...args: string[]): RunningProcess {
  const running = startProcess(process.execPath, [join(root, 'dist/cli.js'), ...args], {
    cwd: join(folder, inside),
    env: { PATH: process.env.PATH ?? '' },
  });
  started.push(running);
  return running;
}

async function headwaterIn(inside: string, ...args: string[]) {
  const running = start(inside, ...args);
  const code = await running.ended;
  return { code, out: running.out(), err: running.err() };
}

const headwater = (...args: string[]) => headwaterIn('.', ...args);

function write(files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

const read = (path: string): string => readFileSync(join(folder, path), 'utf8');

const withoutProblems = '0 errors, 0 warnings, 0 hints in 2 files\n';

const migration = `
create table notes (id uuid primary key default gen_random_uuid(), owner_id text, body text);
create table "orderItems" (id uuid primary key, "userId" uuid);
create table tags (id uuid primary key, name text);
insert into notes (owner_id, body) values ('ada', 'x');
`;

/** The dependencies as `npm install` writes them. */
const installed = '{\n\t\t"@headwater/cli": "file:headwater-cli-1.0.0.tgz"\n\t}';

describe('init', () => {
  test('writes files without problems, and secrets that only their owner can read', async () => {
    expect(await headwater('init')).toMatchObject({ code: 0 });
    expect((await headwater('validate', '--strict')).out).toBe(withoutProblems);
    expect(read('service.yaml')).toContain('\n_type: self-hosted\n');
    expect(statSync(join(folder, '.env')).mode & 0o077).toBe(0);
    expect(read('.gitignore')).toBe('.env\n.headwater/\nnode_modules/\n*.db\n');
  });

  test('adds only the missing files, variables and scripts to an app', async () => {
    write({
      '.env': 'API_URL=https://api.example.com\nPS_ADMIN_TOKEN=mine',
      '.gitignore': 'dist\r\n/node_modules\r\n',
      'package.json': `{\n\t"devDependencies": ${installed},\n\t"scripts": {\n\t\t"sync": "mine"\n\t}\n}\n`,
      'supabase/migrations/1_notes.sql': migration,
    });
    const { code, out } = await headwater('init', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(out)).toEqual({
      created: ['service.yaml', 'sync.yaml', 'access.sync-test.yaml'],
      changed: [
        { path: '.env', added: ['PS_JWT_SECRET_B64URL', 'PS_DATABASE_PASSWORD'] },
        { path: '.gitignore', added: ['.env', '.headwater/', '*.db'] },
        { path: 'package.json', added: ['sync:validate'] },
      ],
      kept: [],
      advice: [expect.stringContaining('1 table has no stream yet')],
    });
    expect(read('.env')).toMatch(
      /^API_URL=https:\/\/api.example.com\nPS_ADMIN_TOKEN=mine\nPS_JWT_SECRET_B64URL=\S{43}\nPS_DATABASE_PASSWORD=\S{43}\n$/,
    );
    expect(read('.gitignore')).toBe('dist\r\n/node_modules\r\n.env\r\n.headwater/\r\n*.db\r\n');
    expect(read('package.json')).toBe(
      `{\n\t"devDependencies": ${installed},\n\t"scripts": {\n\t\t"sync": "mine",\n\t\t"sync:validate": "headwater validate"\n\t}\n}\n`,
    );
    expect(read('service.yaml')).toContain('schema: supabase/migrations\n');
    expect((await headwater('validate', '--strict')).out).toBe(withoutProblems);
    expect(JSON.parse((await headwater('init', '--json')).out)).toMatchObject({ created: [], changed: [] });
  });

  test('adds no scripts to a package that does not depend on the command line', async () => {
    const text = '{ "dependencies": { "headwater": "^1.0.0" }, "scripts": {} }\n';
    write({ 'package.json': text });
    expect(JSON.parse((await headwater('init', '--json')).out).kept).toContain('package.json');
    expect(read('package.json')).toBe(text);
  });

  test('gives each user the rows with their id, and lists the other tables in a comment', async () => {
    write({ 'db/schema.sql': migration });
    await headwater('init');
    expect(read('sync.yaml')).toContain('SELECT * FROM notes WHERE owner_id = auth.user_id()');
    expect(read('sync.yaml')).toContain('SELECT * FROM "orderItems" WHERE "userId" = auth.user_id()');
    expect(read('sync.yaml')).toMatch(/# No user gets rows of these tables yet.*\n {2}# {3}tags\n/);
  });

  test('keeps the configs of a project, and writes an .env with secrets if it is missing', async () => {
    await headwater('init', 'theirs');
    rmSync(join(folder, 'theirs/.env'));
    const { out } = await headwaterIn('theirs', 'init', '--json');
    expect(JSON.parse(out)).toMatchObject({ created: ['.env'], kept: expect.arrayContaining(['sync.yaml']) });
    expect(read('theirs/.env').match(/^PS_\w+/gm)).toEqual([
      'PS_ADMIN_TOKEN',
      'PS_JWT_SECRET_B64URL',
      'PS_DATABASE_PASSWORD',
    ]);
  });

  test('puts the service config next to a sync config in powersync/, and dev runs both', {
    timeout: patient(120_000),
  }, async () => {
    write({
      'powersync/sync-config.yaml':
        'config: { edition: 3 }\nstreams:\n  notes: { auto_subscribe: true, query: "SELECT id, body FROM notes" }\n',
      'migrations/1.sql': migration,
    });
    await headwater('init');
    expect(read('powersync/service.yaml')).toContain('schema: ../migrations\n');
    const dev = start('.', 'dev');
    await until(dev, () => dev.out().includes('is active'));
    expect(dev.out()).not.toContain('there are problems');
  });

  test('warns if git tracks a file with secrets', async () => {
    const git = (...args: string[]) => execFileSync('git', args, { cwd: folder });
    write({ '.env': 'A=1\n' });
    git('init', '-q');
    expect((await headwater('init')).err).not.toContain('Git');
    git('add', '-f', '.env');
    expect((await headwater('init')).err).toContain('git rm --cached .env');
  });

  test.runIf(process.platform === 'linux')('exits with 2 if the folder cannot be created', async () => {
    expect(await headwater('init', '/proc/headwater/app')).toMatchObject({ code: 2 });
  });

  test("with --supabase accepts tokens of Supabase, and uses the ports of Supabase's own config", async () => {
    write({ 'supabase/config.toml': '[api]\nport = 6001\n[db]\nport = 6002\nshadow_port = 6003\n' });
    await headwater('init', '--supabase');
    expect(read('.env')).toContain('@127.0.0.1:6002/postgres\n');
    expect(read('service.yaml')).toContain('jwks_uri: http://127.0.0.1:6001/auth');
    expect((await headwater('validate', '--strict')).out).toBe(withoutProblems);
  });
});

describe('two projects side by side', () => {
  let taken: Server[] = [];
  const take = async (port: number): Promise<void> => {
    const server = createServer();
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(port, '127.0.0.1', resolve);
    });
    taken.push(server);
  };
  afterEach(() => {
    for (const server of taken) server.close();
    taken = [];
  });

  const portsIn = (path: string) =>
    [...read(path).matchAll(/^\s*port: (\d+)$/gm)].map(([, port]) => Number(port));

  test('get ports that are free when init runs', async () => {
    await headwater('init', 'one');
    const [port = 0, database = 0] = portsIn('one/service.yaml');
    await take(port);
    await take(database);
    await headwater('init', 'two');
    const [secondPort, secondDatabase] = portsIn('two/service.yaml');
    expect(secondPort).not.toBe(port);
    expect(secondDatabase).not.toBe(database);
  });

  test('run if their ports are taken, and every command finds the ports that dev took instead', async () => {
    await headwater('init', 'app');
    const [port = 0, database = 0] = portsIn('app/service.yaml');
    await take(port);
    await take(database);
    const dev = start('app', 'dev');
    await until(dev, () => dev.out().includes('is active'));
    const url = /ready at (\S+)/.exec(dev.out())?.[1];
    expect(url).not.toBe(`http://127.0.0.1:${port}`);
    expect(dev.err()).toContain(`Port ${port} is in use`);
    expect(await headwaterIn('app', 'status', '--check')).toMatchObject({
      code: 0,
      err: `Connecting to ${url} with the token from the variable PS_ADMIN_TOKEN.\n`,
    });
    expect(await headwaterIn('app', 'deploy')).toMatchObject({ code: 0 });
    expect(await headwaterIn('app', 'probe')).toMatchObject({ code: 0 });
    expect(await headwaterIn('app', 'sql', 'SELECT name FROM lists')).toMatchObject({
      code: 0,
      out: expect.stringContaining('Groceries'),
    });
  });

  test('use the configured port again after dev was killed', async () => {
    await headwater('init', 'app');
    const [port = 0] = portsIn('app/service.yaml');
    await take(port);
    const dev = start('app', 'dev');
    await until(dev, () => dev.out().includes('is active'));
    dev.child.kill('SIGKILL');
    await dev.ended;
    const { err } = await headwaterIn('app', 'status');
    expect(err).toContain(`http://127.0.0.1:${port} `);
  });
});

describe.skipIf(postgresPrograms.kind === 'missing')('an existing PostgreSQL', () => {
  let postgres: TestPostgres;
  beforeAll(async () => {
    postgres = await startPostgres({ wal_level: 'logical' });
    await postgres.query(migration);
    await postgres.query('CREATE PUBLICATION powersync FOR ALL TABLES');
  });
  afterAll(() => postgres.stop());

  test('is replicated by dev, with streams for its tables', async () => {
    const { code, err } = await headwater('init', '--postgres', postgres.uri);
    expect({ code, err }).toMatchObject({
      code: 0,
      err: expect.stringContaining('1 table has no stream yet'),
    });
    expect(read('service.yaml')).not.toContain(postgres.uri);
    expect(read('sync.yaml')).toContain('FROM notes WHERE owner_id');
    expect((await headwater('validate', '--strict')).out).toBe(withoutProblems);
    const dev = start('.', 'dev');
    await until(dev, () => dev.out().includes('is active'));
    const preview = await headwater('preview', '--user', 'ada', '--live');
    expect(preview.out).toContain('"body":"x"');
  });
});
