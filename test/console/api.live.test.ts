/** The requests of the console to the service. Other programs may also use this API. */
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type ConsoleService, startConsoleService } from '../support/console/console.ts';
import { adminToken } from '../support/service/serviceSettings.ts';

const schema = `
CREATE TABLE lists (id int PRIMARY KEY, owner text NOT NULL, "odd "" name" text);
CREATE TABLE pairs (one int, two text, note text, PRIMARY KEY (two, one));
CREATE TABLE keyless (note text);
INSERT INTO lists VALUES (1, 'ada'), (2, 'grace');
`;
const config = `config:
  edition: 3
streams:
  lists:
    auto_subscribe: true
    query: SELECT id, owner FROM lists WHERE owner = auth.user_id()
`;

let service: ConsoleService;

beforeAll(async () => {
  service = await startConsoleService({ schema, config });
});
afterAll(() => service?.stop());

interface Line {
  readonly kind: string;
  readonly [field: string]: unknown;
}

/** Returns the lines of the event stream. New lines are added as they arrive. */
async function watchEvents(): Promise<readonly Line[]> {
  const over = new AbortController();
  const response = await fetch(`${service.url}/api/admin/v1/events`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${adminToken}` },
    signal: over.signal,
  });
  const lines: Line[] = [];
  const reading = (async () => {
    let rest = '';
    const decoder = new TextDecoder();
    for await (const part of response.body ?? []) {
      const texts = (rest + decoder.decode(part, { stream: true })).split('\n');
      rest = texts.pop() ?? '';
      for (const text of texts) lines.push(JSON.parse(text));
    }
  })().catch(() => undefined);
  onTestFinished(async () => {
    over.abort();
    await reading;
  });
  return lines;
}

describe('The event stream', () => {
  test('starts with a full picture, and then sends a line each second', async () => {
    const lines = await watchEvents();
    await expect.poll(() => lines.filter(({ kind }) => kind === 'second').length).toBeGreaterThan(1);
    const first = lines[0];
    const second = lines.find(({ kind }) => kind === 'second');
    expect(first).toMatchObject({ kind: 'picture', client_count: 0, clients: [] });
    expect(first?.timeline).toEqual(expect.arrayContaining([expect.objectContaining({ kind: 'start' })]));
    expect(second).toMatchObject({
      kind: 'second',
      second: { memory_bytes: expect.any(Number), rows: expect.any(Number) },
    });
  });

  test('reports clients that connect, their progress, and clients that disconnect', async () => {
    const lines = await watchEvents();
    const { token } = (await service.ask('/api/admin/v1/client-token', { user_id: 'ada' })) as {
      readonly token: string;
    };
    const leaving = new AbortController();
    const stream = await fetch(`${service.url}/sync/stream`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ client_id: 'device', app_metadata: { app: 'todo' } }),
      signal: leaving.signal,
    });
    expect(stream.status).toBe(200);
    const changed = () => lines.flatMap((line) => (line.kind === 'clients' ? (line.changed as Line[]) : []));
    await expect
      .poll(() => changed().at(-1))
      .toMatchObject({
        user_id: 'ada',
        client_id: 'device',
        app_metadata: { app: 'todo' },
        bucket_count: 1,
        last_op_id: expect.any(String),
      });
    const id = changed().at(-1)?.id;
    leaving.abort();
    const gone = () => lines.flatMap((line) => (line.kind === 'clients' ? (line.gone as number[]) : []));
    await expect.poll(gone).toContain(id);
  });

  test('reports a deploy with its changes', async () => {
    const lines = await watchEvents();
    await service.deploy(`${config}  all:\n    query: SELECT id FROM lists\n`, 'Ada');
    const messages = () =>
      lines.flatMap((line) => (line.kind === 'happening' ? [(line.happening as Line).message] : []));
    await expect.poll(messages).toContain('Config 2 was deployed by Ada: new stream all.');
    await expect.poll(messages).toContain('Clients now get the rows of config 2.');
    const { deployments } = (await service.ask('/api/admin/v1/deployments')) as {
      readonly deployments: readonly (Line & { readonly content: string; readonly state: string })[];
    };
    // The replaced deployment is kept, so that it can be deployed again.
    expect(deployments.filter(({ state }) => state === 'active')).toHaveLength(1);
    expect(deployments.map(({ content }) => content)).toContain(config);
    expect(deployments.map(({ deployed_by: by }) => by)).toEqual([undefined, 'Ada']);
  });

  test.each(['events', 'history', 'timeline', 'clients', 'deployments', 'client-token', 'write-row'])(
    'needs an admin token, like the other admin routes: %s',
    async (name) => {
      const response = await fetch(`${service.url}/api/admin/v1/${name}`, { method: 'POST' });
      expect(response.status).toBe(401);
    },
  );
});

test('The largest buckets are listed with their numbers of operations and rows', async () => {
  for (let turn = 0; turn < 3; turn += 1) await service.sql(`UPDATE lists SET owner = owner WHERE id = 1`);
  const buckets = async () =>
    ((await service.ask('/api/admin/v1/largest')) as { readonly buckets: readonly Line[] }).buckets.filter(
      ({ name }) => String(name).includes('lists'),
    );
  await expect.poll(buckets).toEqual([
    { name: expect.stringMatching(/\["ada"\]/), operations: 4, rows: 1 },
    { name: expect.stringMatching(/\["grace"\]/), operations: 1, rows: 1 },
  ]);
});

describe('A written row', () => {
  const write = (body: object) => service.ask('/api/admin/v1/write-row', { schema: 'public', ...body });

  test('is inserted, changed and deleted, and its values never run as SQL', async () => {
    const hostile = `'); DROP TABLE lists; --`;
    const insert = {
      table: 'lists',
      change: 'insert',
      values: { id: '7', owner: hostile, 'odd " name': 'x' },
    };
    expect(await write(insert)).toEqual({
      success: true,
      key: { id: '7' },
      position: expect.any(String),
      journey: expect.any(Number),
    });
    await write({ table: 'lists', change: 'update', key: { id: '7' }, values: { 'odd " name': null } });
    expect(await service.sql('SELECT * FROM lists WHERE id = 7')).toEqual([
      { id: 7, owner: hostile, 'odd " name': null },
    ]);
    expect(await write({ table: 'lists', change: 'delete', key: { id: '7' } })).toMatchObject({
      success: true,
    });
    expect(await service.sql('SELECT count(*)::int AS rows FROM lists')).toEqual([{ rows: 2 }]);
  });

  test('is found by exactly the columns of its key, in any order', async () => {
    await service.sql(`INSERT INTO pairs VALUES (1, 'a', 'before')`);
    const change = { table: 'pairs', change: 'update', values: { note: 'after' } };
    expect(await write({ ...change, key: { one: '1' } })).toMatchObject({ success: false });
    expect(await write({ ...change, key: { one: '1', two: 'a', note: 'before' } })).toMatchObject({
      success: false,
    });
    expect(await write({ ...change, key: { one: '1', two: 'a' } })).toMatchObject({ success: true });
    expect(await service.sql('SELECT note FROM pairs')).toEqual([{ note: 'after' }]);
  });

  test.each([
    [
      'a row that does not exist',
      { table: 'lists', change: 'delete', key: { id: '99' } },
      'no row with this key',
    ],
    [
      'a table without a key',
      { table: 'keyless', change: 'insert', values: { note: 'x' } },
      'no primary key',
    ],
    ['a table that does not exist', { table: 'nothing', change: 'insert', values: {} }, 'no primary key'],
    [
      'a value of the wrong type',
      { table: 'lists', change: 'update', key: { id: '1' }, values: { id: 'x' } },
      'integer',
    ],
    ['a row without a required value', { table: 'lists', change: 'insert', values: { id: '8' } }, 'owner'],
    [
      'a table of the service',
      { schema: 'headwater', table: 'slot', change: 'delete', key: {} },
      'belongs to',
    ],
  ])('is refused with an explanation: %s', async (_, body, sentence) => {
    const answer = await write(body);
    expect(answer).toMatchObject({ success: false, error: expect.stringContaining(sentence) });
    expect(await service.sql('SELECT count(*)::int AS rows FROM lists')).toEqual([{ rows: 2 }]);
  });
});

// This test is last, because it leaves operations in buckets that other tests count.
test('The event stream reports a published checkpoint at once, not with the next second', async () => {
  const lines = await watchEvents();
  await service.sql("INSERT INTO lists VALUES (9, 'ada')");
  const published = () => lines.filter(({ kind }) => kind === 'checkpoint').map((line) => line.last_op_id);
  await expect.poll(() => published().length).toBeGreaterThan(0);
  expect(published().at(-1)).toMatch(/^\d+$/);
  await service.sql('DELETE FROM lists WHERE id = 9');
});
