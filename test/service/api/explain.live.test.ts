/** Explains why a client does not have rows of a real database. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningService, startService } from '../../../server/service/assembly/service.ts';
import { systemClock } from '../../../server/service/ground/clock.ts';
import { silentLog } from '../../../server/service/ground/log.ts';
import { eventually } from '../../support/house/eventually.ts';
import { adminToken, serviceSettings } from '../../support/service/serviceSettings.ts';

const sql = `
CREATE TABLE lists (id text PRIMARY KEY, owner_id text, made timestamptz DEFAULT '2026-01-02 03:04:05+02', photo bytea);
CREATE TABLE todos (id text PRIMARY KEY, list_id text, title text, done boolean NOT NULL DEFAULT false, size bigint);
CREATE TABLE secrets (id text PRIMARY KEY);
INSERT INTO secrets VALUES ('s1');
INSERT INTO lists (id, owner_id, photo) VALUES ('l1', 'ada', '\\x00ff'), ('l2', 'bob', NULL);
INSERT INTO todos (id, list_id, title, done, size) VALUES
  ('t1', 'l1', 'mine', false, 9007199254740993), ('t2', 'l2', 'not mine', false, 1), ('t3', 'l1', 'Done', true, 1);
INSERT INTO todos (id, list_id, title) SELECT 'x' || n, 'l1', 'many' FROM generate_series(1, 300) AS n;
`;

const config = `config:
  edition: 3
streams:
  lists:
    auto_subscribe: true
    query: SELECT id, owner_id FROM lists WHERE owner_id = auth.user_id()
  todos:
    query: |
      SELECT * FROM todos
      WHERE list_id IN (SELECT id FROM lists WHERE owner_id = auth.user_id())
        AND list_id = subscription.parameter('list') AND done = false
`;

interface ExplainedRow {
  readonly data: string;
  readonly bytes: Readonly<Record<string, number>>;
  readonly targets: readonly { readonly table: string; readonly id: string }[];
  readonly reasons: readonly {
    readonly stream: string;
    readonly kind: string;
    readonly marks: readonly { readonly sql: string; readonly start: number; readonly end: number }[];
    readonly values: readonly { readonly text: string; readonly value: unknown }[];
    readonly held?: readonly unknown[];
  }[];
}

interface RowsAnswer {
  readonly content: string;
  readonly is_read: boolean;
  readonly buckets: readonly string[];
  readonly rows: readonly ExplainedRow[];
  readonly after?: string;
  readonly problem?: string;
}

let folder: string;
let service: RunningService;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'headwater-explain-'));
  mkdirSync(join(folder, 'db'));
  writeFileSync(join(folder, 'db/1.sql'), sql);
  const schema = [{ path: join(folder, 'db'), name: 'db', folder }];
  const connection = { type: 'embedded', id: 'default', tag: 'default', debugApi: true, schema } as const;
  const storage = { type: 'embedded', path: join(folder, '.data') } as const;
  const world = { clock: systemClock, log: silentLog, env: {}, fetch };
  service = await startService(serviceSettings({ connection, storage }), folder, world);
  await ask('/api/sync-rules/v1/deploy', config);
  const isActive = async () => expect((await ask('/api/admin/v1/streams')).status).toBe(200);
  await eventually(isActive);
});

afterAll(async () => {
  await service?.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function ask<Data>(path: string, body: object | string = {}, token = adminToken) {
  const isText = typeof body === 'string';
  const response = await fetch(`${service.url}${path}`, {
    method: 'POST',
    headers: {
      authorization: `Token ${token}`,
      'content-type': isText ? 'application/yaml' : 'application/json',
    },
    body: isText ? body : JSON.stringify(body),
  });
  const answer = (await response.json()) as { readonly data: Data };
  return { status: response.status, data: answer.data };
}

const subscribed = (list: string) => ({
  streams: {
    include_defaults: true,
    subscriptions: [{ stream: 'todos', parameters: { list }, override_priority: null }],
  },
});

const explain = async (body: object): Promise<RowsAnswer> =>
  (await ask<RowsAnswer>('/api/admin/v1/explain', { claims: { sub: 'ada' }, ...body })).data;

const idOf = ({ data }: ExplainedRow): string => (JSON.parse(data) as { readonly id: string }).id;

function reasonsFor({ content, rows }: RowsAnswer, id: string): readonly string[] {
  const found = rows.find((row) => idOf(row) === id);
  return (found?.reasons ?? []).map(({ stream, kind, marks, values, held }) => {
    for (const { sql: text, start, end } of marks) expect(content.slice(start, end)).toBe(text);
    const read = values.map(({ text, value }) => `${text} = ${value}`);
    return [
      `${stream}: ${kind}`,
      ...marks.map((mark) => `‹${mark.sql}›`),
      ...read,
      ...(held?.map(String) ?? []),
    ].join(' ');
  });
}

describe('Rows of a table are explained for a client', () => {
  test('that subscribes to their stream, with the clause that excludes them', async () => {
    const explained = await explain({ table: 'todos', ...subscribed('l1') });
    expect(explained.buckets).toHaveLength(2);
    expect(reasonsFor(explained, 't1')).toEqual([]);
    expect(reasonsFor(explained, 't2')).toEqual([
      expect.stringMatching(/^todos: other values ‹list_id IN \(SELECT .*\)› .*list_id = l2 l1$/),
    ]);
    expect(reasonsFor(explained, 't3')).toEqual(['todos: filtered ‹done = false› done = 1']);
    const [first] = explained.rows;
    expect(first?.targets).toEqual([{ table: 'todos', id: 't1' }]);
    // The values are those that devices get, and integers keep all of their digits.
    expect(first?.data).toBe('{"id":"t1","list_id":"l1","title":"mine","done":0,"size":9007199254740993}');
  });

  test('that subscribes to nothing, and for another user', async () => {
    expect(reasonsFor(await explain({ table: 'todos' }), 't1')).toEqual([
      expect.stringMatching(/^todos: not subscribed/),
    ]);
    const lists = await explain({ table: 'public.lists', claims: { sub: 'bob' } });
    expect(reasonsFor(lists, 'l1')).toEqual([
      'lists: other values ‹owner_id = auth.user_id()› owner_id = ada bob',
    ]);
    expect(reasonsFor(lists, 'l2')).toEqual([]);
    expect(lists.rows.map(({ data, bytes }) => [data, bytes])).toEqual([
      ['{"id":"l1","owner_id":"ada","made":"2026-01-02T01:04:05.000000Z"}', { photo: 2 }],
      ['{"id":"l2","owner_id":"bob","made":"2026-01-02T01:04:05.000000Z","photo":null}', {}],
    ]);
  });

  test('page by page, and by a search text', async () => {
    const seen: unknown[] = [];
    for (let after = ''; ; ) {
      const page = await explain({ table: 'todos', after });
      expect(page.rows.length).toBeLessThanOrEqual(200);
      seen.push(...page.rows.map(idOf));
      if (page.after === undefined) break;
      after = page.after;
    }
    expect(seen).toHaveLength(303);
    expect(new Set(seen).size).toBe(303);
    const found = await explain({ table: 'todos', search: 'NOT mine' });
    expect(found.rows.map(idOf)).toEqual(['t2']);
  });

  test('only if the config reads their table, so that no other table can be read', async () => {
    const explained = await explain({ table: 'secrets' });
    expect(explained).toMatchObject({ is_read: false, rows: [] });
    const strange = await explain({ table: `todos" ; DROP TABLE todos; --` });
    expect(strange).toMatchObject({ is_read: false, rows: [] });
  });

  test.each([
    [{ claims: 7 }, /claims/],
    [{ table: undefined }, /table/],
    [{ after: 'x; DROP' }, /after/],
    [{ streams: { subscriptions: 'x' } }, /subscriptions/],
  ])('unless the request has %j', async (wrong, message) => {
    const response = await fetch(`${service.url}/api/admin/v1/explain`, {
      method: 'POST',
      headers: { authorization: `Token ${adminToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({ claims: { sub: 'ada' }, table: 'todos', ...wrong }),
    });
    expect(response.status).toBe(400);
    expect(await response.text()).toMatch(message);
  });

  test('only if an admin asks', async () => {
    expect((await ask('/api/admin/v1/explain', { claims: {}, table: 'todos' }, 'wrong')).status).toBe(401);
    expect((await ask('/api/admin/v1/streams', {}, 'wrong')).status).toBe(401);
  });
});

test('Streams that clients can ask for are listed, with the parameters and claims that they read', async () => {
  expect((await ask('/api/admin/v1/streams')).data).toEqual({
    streams: [
      { name: 'lists', is_default: true, parameters: [] },
      { name: 'todos', is_default: false, parameters: ['list'] },
    ],
    claims: ['sub'],
    parameters: [],
  });
});
