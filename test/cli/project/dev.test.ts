/** The services that `headwater dev` starts for projects of all kinds, without a process and without a disk. */
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { World } from '../../../client/cli/world.ts';
import { headwater, type RunEnd, type Surroundings } from '../../support/cli/cliWorld.ts';

const sync = 'config: { edition: 3 }\nstreams:\n  users: { query: SELECT id FROM users }\n';
const other = sync.replace('streams:', 'streams:\n  more: { query: SELECT id FROM lists }');
const sql = 'create table users (id uuid primary key);';

interface StartedRun extends RunEnd {
  /** The config of the service. Undefined if nothing was started, or if it was started with a file. */
  readonly config: Readonly<Record<string, unknown>> | undefined;
  readonly args: readonly string[] | undefined;
  readonly env: Readonly<Record<string, string>> | undefined;
}

async function dev(
  files: Surroundings['files'],
  args: readonly string[] = [],
  around: Omit<Surroundings, 'files'> = {},
): Promise<StartedRun> {
  let started: Parameters<World['startProgram']> | undefined;
  const startProgram: World['startProgram'] = (...call) => {
    started = call;
    return { ended: Promise.resolve(0), stop: () => {} };
  };
  const ended = await headwater(['dev', ...args], {
    ...around,
    files: files ?? {},
    world: { startProgram, ...around.world },
  });
  const env = started?.[2]?.env;
  const base64 = env?.POWERSYNC_CONFIG_B64;
  const text = base64 && Buffer.from(base64, 'base64').toString().replaceAll('!env ', '$');
  return { ...ended, args: started?.[1], env, config: text ? parse(text) : undefined };
}

test('Another sync config beside the one that is run is named', async () => {
  const { out } = await dev({ 'sync.yaml': sync, 'sync_rules.yaml': other, 'schema.sql': sql });
  expect(out.join('\n')).toContain('sync_rules.yaml is also a sync config, but it is not used');
});

describe('Rows to begin with', () => {
  const files = {
    'sync.yaml': sync,
    'supabase/migrations/1.sql': sql,
    'supabase/seed.sql': 'insert into users values (gen_random_uuid());',
    'supabase/seeds/more.sql': 'insert into users values (gen_random_uuid());',
    'other/seed.sql': 'insert into other values (1);',
  };
  const seedFiles = 'supabase/seed.sql, supabase/seeds/more.sql';
  const connectionOf = ({ config }: StartedRun): unknown => {
    const replication = config?.replication as { readonly connections: readonly unknown[] } | undefined;
    return replication?.connections[0];
  };

  test('are made in a new database, from the files beside the schema', async () => {
    const started = await dev(files);
    expect(connectionOf(started)).toMatchObject({ schema: ['supabase/migrations'] });
    expect(connectionOf(started)).not.toHaveProperty('seed');
    expect(started.out).toContain(`A new database gets the rows of ${seedFiles}.`);
  });

  test('are left out on request', async () => {
    const started = await dev(files, ['--no-seed']);
    expect(connectionOf(started)).toMatchObject({ schema: ['supabase/migrations'], seed: false });
    expect(started.out).toContain(`The rows of ${seedFiles} are not added.`);
    const { code } = await dev(files, ['--seed', '--no-seed']);
    expect(code).toBe(2);
  });

  test('are made in an existing database on request', async () => {
    const seeded = await dev(files, ['--seed']);
    expect(connectionOf(seeded)).toMatchObject({
      schema: ['supabase/migrations', 'supabase/seed.sql', 'supabase/seeds/more.sql'],
    });
    expect(seeded.out).toContain(`The database gets the rows of ${seedFiles}.`);
  });

  test('are missed where there is no such file', async () => {
    const { out } = await dev({ 'sync.yaml': sync, 'db/1.sql': sql }, ['--seed']);
    expect(out.join('\n')).toContain('No SQL file with seed data was found');
  });

  test('are none of ours in another database', async () => {
    const { code, err } = await dev(files, ['--seed', '--source', 'postgresql://localhost/a']);
    expect([code, err.join('\n')]).toEqual([
      2,
      expect.stringContaining('--seed works only with the embedded database'),
    ]);
  });
});

describe('What no file makes can be made', () => {
  test.each<[string, Readonly<Record<string, string>>, string]>([
    [
      'by nobody who is known',
      {},
      'Add a file that creates them (pg_dump --schema-only > schema.sql). Or use --source postgresql://',
    ],
    [
      'by Drizzle',
      { 'web/drizzle.config.ts': '' },
      'Drizzle seems to create them (web/drizzle.config.ts): npx drizzle-kit export',
    ],
    ['by Alembic', { 'alembic.ini': '' }, 'alembic upgrade head --sql > schema.sql'],
    ['by Django', { 'manage.py': '' }, 'after manage.py migrate, dump a database'],
    ['by Laravel', { artisan: '' }, 'php artisan schema:dump'],
    ['by Ecto', { 'priv/repo/migrations/1_a.exs': '' }, 'mix ecto.dump'],
    ['by Rails', { 'db/migrate/1_a.rb': '' }, 'bin/rails db:schema:dump'],
    ['by Knex', { 'knexfile.js': '' }, 'after knex migrate:latest'],
    ['by Sequelize', { '.sequelizerc': '' }, 'after sequelize db:migrate'],
    ['by TypeORM', { 'src/data-source.ts': '' }, 'after typeorm migration:run'],
    ['by Liquibase', { 'db/changelog/db.changelog-master.xml': '' }, 'liquibase update-sql'],
    ['by Atlas', { 'schema.hcl': '' }, 'atlas schema inspect'],
    ['by Supabase', { 'supabase/config.toml': '' }, 'supabase db pull'],
  ])('%s', async (_, files, sentence) => {
    const { out } = await dev({ 'sync.yaml': sync, ...files });
    const said = out.find((line) => line.includes('No file here creates the table users.'));
    expect(said).toContain(sentence);
  });

  test('or is in the database of supabase start, if something listens there', async () => {
    const files = { 'sync.yaml': sync, 'supabase/config.toml': '[api]\nport = 1\n[db]\nport = 54399\n' };
    const around = (taken: number) => ({
      world: { firstFreePort: async (ports: readonly number[]) => ports.find((port) => port !== taken) ?? 0 },
    });
    const address = '--source postgresql://postgres:postgres@127.0.0.1:54399/postgres to read';
    expect((await dev(files, [], around(54_399))).out.join('\n')).toContain(address);
    expect((await dev(files, [], around(1))).out.join('\n')).not.toContain('54399');
  });
});

describe('The ports are proposed', () => {
  const own = `port: 8123
replication: { connections: [{ type: embedded, port: 5123 }] }
storage: { type: embedded }
client_auth: { jwks: { keys: [] } }
api: { tokens: [one] }
`;
  test.each([
    ['of a service of its own', {}, [], ['--port', '8080+']],
    ['of the service config', { 'service.yaml': own }, [], ['--port', '8123+', '--database-port', '5123+']],
    ['but not those that were asked for', {}, ['--port', '9000'], ['--port', '9000']],
    [
      'but not those that were asked for, of the service config',
      { 'service.yaml': own },
      ['--port', '9000', '--database-port', '9001'],
      ['--port', '9000', '--database-port', '9001'],
    ],
  ])('%s', async (_, files, given, expected) => {
    const { args } = await dev({ 'sync.yaml': sync, 'db/1.sql': sql, ...files }, given);
    expect(args?.slice(-expected.length)).toEqual(expected);
  });
});

describe('The sync config is found', () => {
  test.each([
    ['powersync/sync-config.yaml'],
    ['sync_rules.yml'],
    ['infra/docker/config.yaml'],
    ['apps/api/rules.yml'],
  ])('at %s', async (path) => {
    const { out, config } = await dev({ [path]: sync, 'db/1.sql': sql });
    expect(out[0]).toBe(`The sync config is ${path}; its tables come from db/1.sql.`);
    expect(config).toBeDefined();
  });

  test('not in a service config beside its own keys, which is said', async () => {
    const service = 'replication: { connections: [] }\nclient_auth: {}\n';
    const streams = 'streams:\n  a: { query: SELECT id FROM users }\n';
    const { code, err } = await dev({ 'infra/sync.yaml': service + streams });
    expect([code, err.join()]).toEqual([
      2,
      expect.stringContaining('infra/sync.yaml has `streams` or `bucket_definitions` next to'),
    ]);
  });

  test('in the service config', async () => {
    const service = `replication: {}\nsync_rules:\n  content: |\n    ${sync.trimEnd().replaceAll('\n', '\n    ')}\n`;
    const { out, config } = await dev({ 'powersync.yaml': service, 'db/1.sql': sql });
    expect(out[0]).toBe('The sync config is powersync.yaml; its tables come from db/1.sql.');
    expect(config).not.toHaveProperty('sync_rules');
  });

  test('where the service config says, also if that is a path in a container', async () => {
    const { out } = await dev({
      'powersync/service.yaml': 'replication: {}\nsync_config: { path: /config/rules.yaml }\n',
      'powersync/rules.yaml': sync,
      'sync.yaml': other,
      'db/1.sql': sql,
    });
    expect(out[0]).toMatch(/^The sync config is powersync[/\\]rules\.yaml;/);
  });

  test('above the working directory, in the same repository', async () => {
    const { out } = await dev(
      {
        '/repo/.git': '',
        '../sync/powersync.yaml': sync,
        '../db/1.sql': sql,
        '/repo/sync/powersync.yaml': sync,
        '/repo/db/1.sql': sql,
      },
      [],
      { world: { folder: '/repo/app' } },
    );
    expect(out[0]).toBe('The sync config is ../sync/powersync.yaml; its tables come from ../db/1.sql.');
  });

  test('once, if it is there in copies', async () => {
    const { out } = await dev({ 'a/rules/sync.yaml': sync, 'b/sync.yaml': sync });
    expect(out[0]).toContain('The sync config is b/sync.yaml;');
  });

  test('as chosen, which is remembered', async () => {
    const files = { 'a/sync.yaml': sync, 'b/sync.yaml': other };
    const asked = await dev(files);
    expect({ code: asked.code, err: asked.err, args: asked.args }).toEqual({
      code: 2,
      err: ['There are several sync configs here. Specify one of them: a/sync.yaml, b/sync.yaml.'],
      args: undefined,
    });
    const chosen = await dev(files, [], { world: { choose: async (_, [, second]) => second } });
    expect(chosen.out[0]).toContain('The sync config is b/sync.yaml;');
    expect((await dev(chosen.files)).out[0]).toContain('The sync config is b/sync.yaml;');
  });

  test('nowhere, which is said', async () => {
    const { code, err } = await dev({ 'compose.yaml': 'services: {}\n', 'pod.yaml': 'kind: Pod\n' });
    expect({ code, err }).toEqual({
      code: 2,
      err: [expect.stringContaining('No sync config found here')],
    });
  });
});

const production = `replication:
  connections:
    - { type: postgresql, uri: !env PS_DATABASE_URL }
storage: { type: mongodb, uri: mongodb://mongo/powersync }
port: 80
sync_config: { path: sync.yaml }
api: { tokens: [!env PS_ADMIN_TOKEN] }
client_auth:
  audience: [app, !env OTHER_AUDIENCE]
  jwks_uri: https://auth.example.com/keys
  supabase_jwt_secret: !env PS_UNSET
  jwks:
    keys:
      - { kty: oct, alg: HS256, kid: unset, k: !env PS_UNSET }
      - { kty: oct, alg: HS256, kid: set, k: !env PS_SET }
`;

describe('A service config that is not made for this machine', () => {
  const files = {
    'service.yaml': production,
    'sync.yaml': sync,
    'migrations/1.sql': sql,
    'migrations/2.sql': '',
  };

  test('is replaced for this run, but for the keys of clients that work here', async () => {
    const { out, config, env, files: after } = await dev(files, [], { env: { PS_SET: 'c2V0' } });
    expect(config).toMatchObject({
      port: 80,
      storage: { type: 'embedded', path: '.headwater' },
      replication: { connections: [{ type: 'embedded', schema: ['migrations'], debug_api: true }] },
      api: { tokens: ['$PS_LOCAL_TOKEN'] },
      client_auth: {
        audience: ['app', 'headwater-local'],
        jwks_uri: 'https://auth.example.com/keys',
        jwks: { keys: [{ kid: 'set' }, { kid: 'headwater-local', k: '$PS_LOCAL_KEY' }] },
      },
    });
    expect(config).not.toHaveProperty('sync_config');
    expect(config?.client_auth).not.toHaveProperty('supabase_jwt_secret');
    expect(env).toMatchObject({ PS_LOCAL_TOKEN: 's'.repeat(32), PS_LOCAL_KEY: 's'.repeat(32) });
    expect(out[1]).toMatch(
      /^service\.yaml was not written for this machine, .*headwater serve -c service\.yaml/,
    );
    expect(after['service.yaml']).toBe(production);
  });

  test('is found beside the sync config that it loads, wherever that is, and its source is not passed over in silence', async () => {
    const service = `replication: { connections: [{ type: mongodb, uri: !env PS_MONGO_URI }] }
sync_rules: { path: rules.yaml }
client_auth: { audience: [app], jwks_uri: https://auth.example.com/keys }
`;
    const inFolder = {
      'config/rules.yaml': sync,
      'config/other.yaml': service.replace('rules.yaml', 'another.yaml'),
      'config/powersync.yaml': service,
      'migrations/1.sql': sql,
    };
    const { out, config } = await dev(inFolder, []);
    expect(config?.client_auth).toMatchObject({ jwks_uri: 'https://auth.example.com/keys' });
    expect(out[1]).toMatch(
      /^config\/powersync\.yaml was not written for .*of type mongodb, which this service does not/,
    );
    expect(out[1]).not.toContain('headwater serve');
  });

  test('takes no value that Docker Compose would have to fill in', async () => {
    const service = production.replace('https://auth.example.com/keys', '!env PS_KEYS');
    const env = { PS_SET: 'c2V0', PS_KEYS: `http://backend:\${PORT}/keys` };
    const { config } = await dev({ ...files, 'service.yaml': service }, [], { env });
    expect(config?.client_auth).not.toHaveProperty('jwks_uri');
    expect(config?.client_auth).toMatchObject({
      jwks: { keys: [{ kid: 'set' }, { kid: 'headwater-local' }] },
    });
  });

  test('keeps the secrets of this machine, so that they are the same after a restart', async () => {
    let made = 0;
    const secret = () => `secret-${made++}`;
    const first = await dev(files, [], { world: { secret } });
    const second = await dev(first.files, [], { world: { secret } });
    expect(second.env?.PS_LOCAL_TOKEN).toBe('secret-0');
    expect(first.env).toMatchObject({ PS_LOCAL_TOKEN: 'secret-0', PS_LOCAL_KEY: 'secret-1' });
  });

  test('with keys that no service takes is left out altogether', async () => {
    const broken = production.replace('k: !env PS_SET', 'k: [1]');
    const { config, out } = await dev({ ...files, 'service.yaml': broken }, [], { env: { PS_SET: 'c2V0' } });
    expect(config?.client_auth).toMatchObject({ jwks: { keys: [{ kid: 'headwater-local' }] } });
    expect(out[1]).toContain('client_auth cannot be used (service.yaml:15:46: `k` must be text.)');
  });

  test.each([
    ['postgresql://u:p@localhost/app', {}, 'postgresql://u:p@localhost/app', { sslmode: 'disable' }],
    [
      'DATABASE_URL',
      { DATABASE_URL: 'postgres://u:p@db.example.com/app' },
      'postgres://u:p@db.example.com/app',
      {},
    ],
  ])('reads another database only when that is chosen: --source %s', async (source, env, address, more) => {
    const started = await dev(files, ['--source', source], { env });
    expect(started.config).toMatchObject({
      replication: { connections: [{ type: 'postgresql', uri: '$PS_LOCAL_SOURCE', ...more }] },
    });
    expect(started.env?.PS_LOCAL_SOURCE).toBe(address);
    expect((await dev(files, [], { env })).config).toMatchObject({
      replication: { connections: [{ type: 'embedded' }] },
    });
  });

  test('keeps its connection if that is chosen', async () => {
    expect((await dev(files, ['--source', 'config'])).config).toMatchObject({
      replication: { connections: [{ type: 'postgresql', uri: '$PS_DATABASE_URL' }] },
    });
  });

  test('has no such database, which is said without it', async () => {
    const { code, err } = await dev(files, ['--source', 'mysql://u:p@host/app']);
    expect({ code, err }).toEqual({ code: 2, err: [expect.stringContaining('--source must be')] });
  });
});

test('A service config with a database of ours runs as it is', async () => {
  const service =
    'replication: { connections: [{ type: embedded, schema: schema.sql }] }\napi: { tokens: [t] }\n';
  const { args, config } = await dev({ 'service.yaml': service, 'sync.yaml': sync, 'schema.sql': sql });
  const words = ['start', '--config', 'service.yaml', '--within', '/project', '--port', '8080+'];
  expect({ args, config }).toEqual({ args: words, config: undefined });
});

test('Tables that no file makes are named, with what works', async () => {
  const { out } = await dev({ 'sync.yaml': other, 'db/1.sql': sql }, [], {
    env: { DATABASE_URL: 'postgresql://u:secret@host/app' },
  });
  expect(out.join('\n')).toMatch(/No file here creates the table lists\. .*--source DATABASE_URL/);
  expect(out.join('\n')).not.toContain('secret');
});
