/** A real service counts the buckets of a config before it is deployed, from rows of a source that has no statistics yet. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { postgresPrograms, startPostgres, type TestPostgres } from '../../support/processes/postgres.ts';
import { type ServiceProcess, startServiceProcess } from '../../support/processes/serviceProcess.ts';

const token = 'a-token-for-admins';

const schema = `
CREATE TABLE lists (id text PRIMARY KEY, name text);
CREATE TABLE members (id text PRIMARY KEY, list_id text, user_id text);
INSERT INTO lists SELECT 'l' || n, 'List ' || n FROM generate_series(1, 1100) n;
INSERT INTO members SELECT 'm' || n, 'l' || n, 'ada' FROM generate_series(1, 5) n;
`;

const config = `config:
  edition: 3
streams:
  lists:
    auto_subscribe: true
    query: SELECT * FROM lists WHERE id IN (SELECT m.list_id FROM members m JOIN lists l ON l.id = m.list_id WHERE m.user_id = auth.user_id())
`;

/** `reference` is the number that PowerSync's service counts: all 1,100 lists and five memberships. */
const ada = { values: ['ada'], buckets: 5, results: 5, reference: 1_105 };

interface Answer {
  readonly of: string;
  readonly groups: readonly { readonly most: readonly (typeof ada)[] }[];
}

let folder: string;
let service: ServiceProcess | undefined;

async function start(connection: string): Promise<void> {
  folder = mkdtempSync(join(tmpdir(), 'headwater-limits-'));
  writeFileSync(join(folder, 'schema.sql'), schema);
  const file = join(folder, 'service.yaml');
  writeFileSync(
    file,
    `port: 0
replication: { connections: [${connection}] }
storage: { type: embedded, path: data }
client_auth: { jwks: { keys: [{ kty: oct, alg: HS256, kid: dev, k: c2VjcmV0LXNlY3JldC1zZWNyZXQtc2VjcmV0LXNlY3I }] } }
api: { tokens: [${token}] }
healthcheck: { probes: { use_http: true } }
`,
  );
  service = await startServiceProcess(file);
}

async function ask(path: string, body: string, type = 'application/json'): Promise<unknown> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': type };
  const response = await fetch(`${service?.url}${path}`, { method: 'POST', headers, body });
  const text = await response.text();
  if (!response.ok) throw new Error(`${response.status} ${text}`);
  return (JSON.parse(text) as { readonly data: unknown }).data;
}

async function count(asked: object): Promise<Answer> {
  return (await ask('/api/admin/v1/limits', JSON.stringify(asked))) as Answer;
}

async function deploy(): Promise<void> {
  await ask('/api/sync-rules/v1/deploy', config, 'application/yaml');
  const isActive = () =>
    count({}).then(
      () => true,
      () => false,
    );
  await expect.poll(isActive).toBe(true);
}

afterEach(async () => {
  await service?.stop();
  service = undefined;
  rmSync(folder, { recursive: true, force: true });
});

test('rows of the embedded database are counted before and after a deploy', async () => {
  await start('{ type: embedded, schema: schema.sql }');
  expect(await count({ sync_rules: config })).toMatchObject({ of: 'given', groups: [{ most: [ada] }] });
  await deploy();
  expect(await count({})).toMatchObject({ of: 'active', groups: [{ most: [ada] }] });
});

describe.skipIf(postgresPrograms.kind === 'missing')('rows of a PostgreSQL server', () => {
  let postgres: TestPostgres;

  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(() => postgres?.stop());

  test('are counted before a deploy, after a deploy, and while rows change', async () => {
    const database = await postgres.createDatabase();
    const sql = (text: string) => postgres.query(text, undefined, database);
    await sql(`${schema} CREATE PUBLICATION powersync FOR ALL TABLES`);
    const uri = new URL(postgres.uri);
    uri.pathname = `/${database}`;
    await start(`{ type: postgresql, uri: '${uri}', sslmode: disable }`);
    expect(await count({ sync_rules: config })).toMatchObject({ of: 'given', groups: [{ most: [ada] }] });
    await deploy();
    expect(await count({})).toMatchObject({ of: 'active', groups: [{ most: [ada] }] });
    const changing = (async () => {
      for (let n = 6; n <= 40; n += 1) await sql(`INSERT INTO members VALUES ('m${n}', 'l${n}', 'ada')`);
    })();
    for (let times = 0; times < 5; times += 1) {
      const { groups } = await count(times % 2 === 0 ? {} : { sync_rules: config });
      const buckets = groups[0]?.most[0]?.buckets;
      expect(buckets).toBeGreaterThanOrEqual(5);
      expect(buckets).toBeLessThanOrEqual(40);
    }
    await changing;
    const most = () => count({}).then(({ groups }) => groups[0]?.most[0]?.buckets);
    await expect.poll(most).toBe(40);
  });
});
