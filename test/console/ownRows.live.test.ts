/** Rows of the local database that are changed through the API, and their path to the app of a user. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openApp } from '../support/clients/sdk.ts';
import { type ConsoleService, clientSecret, startConsoleService } from '../support/console/console.ts';
import { signToken } from '../support/console/tokens.ts';
import { eventually } from '../support/house/eventually.ts';

const schema = `
CREATE TABLE lists (id text PRIMARY KEY, owner text, name text);
CREATE TABLE todos (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, list text, title text, done boolean DEFAULT false, tags text[], at timestamptz, CHECK (title <> 'forbidden'));
CREATE TABLE "we""ird; DROP TABLE lists" ("a""b" text PRIMARY KEY, "c d" int);
CREATE TABLE pairs (one text, two text, n int, PRIMARY KEY (one, two));
CREATE TABLE keyless (n int);
INSERT INTO lists VALUES ('l1', 'ada', 'one'), ('l2', 'bob', 'two');
`;

const config = `config:
  edition: 3
streams:
  lists:
    auto_subscribe: true
    query: SELECT * FROM lists WHERE owner = auth.user_id()
`;

interface Outcome {
  readonly success: boolean;
  readonly key?: Readonly<Record<string, string>>;
  readonly journey?: number;
  readonly error?: string;
}

interface Journey {
  readonly committed_ts: string;
  readonly stored?: { readonly op_id: string; readonly ms: number };
  readonly devices: readonly { readonly user_id: string }[];
  readonly over: boolean;
}

let service: ConsoleService;

beforeAll(async () => {
  service = await startConsoleService({ schema, config });
});
afterAll(() => service?.stop());

interface Edit {
  readonly change: 'insert' | 'update' | 'delete';
  /** The name of the table, optionally with its schema. */
  readonly table: string;
  readonly key?: object | undefined;
  readonly values?: object;
}

const change = async ({ table, ...edit }: Edit): Promise<Outcome> => {
  const dot = table.indexOf('.');
  const place = { schema: dot === -1 ? 'public' : table.slice(0, dot), table: table.slice(dot + 1) };
  return (await service.ask('/api/admin/v1/write-row', { ...edit, ...place })) as Outcome;
};

async function journeyOf({ journey: id }: Outcome): Promise<Journey> {
  const look = async () => (await service.ask('/api/admin/v1/journey', { id })) as Journey;
  return eventually(async () => {
    const journey = await look();
    expect(journey.over).toBe(true);
    return journey;
  });
}

test('A change arrives in the apps that can have the row, and its journey is reported', async () => {
  const ada = await openApp({ port: service.port, token: signToken('ada', clientSecret) });
  const bob = await openApp({ port: service.port, token: signToken('bob', clientSecret) });
  await ada.database.waitForFirstSync();
  await bob.database.waitForFirstSync();
  await ada.until('SELECT name FROM lists', [{ name: 'one' }]);
  await bob.until('SELECT name FROM lists', [{ name: 'two' }]);
  const begun = Date.now();
  const changed = await change({
    change: 'update',
    table: 'lists',
    key: { id: 'l1' },
    values: { name: 'new' },
  });
  expect(changed).toMatchObject({ success: true, key: { id: 'l1' } });
  await ada.until('SELECT name FROM lists', [{ name: 'new' }]);
  const journey = await journeyOf(changed);
  expect(Date.parse(journey.committed_ts)).toBeGreaterThanOrEqual(begun);
  expect(Number(journey.stored?.op_id)).toBeGreaterThan(0);
  expect(journey.devices.map(({ user_id }) => user_id)).toEqual(['ada']);
  // A change of the owner also affects the device that loses the row.
  const moved = await change({
    change: 'update',
    table: 'lists',
    key: { id: 'l1' },
    values: { owner: 'bob' },
  });
  await ada.until('SELECT name FROM lists', []);
  const users = (await journeyOf(moved)).devices.map(({ user_id }) => user_id);
  expect(users.toSorted()).toEqual(['ada', 'bob']);
  await change({ change: 'delete', table: 'lists', key: { id: 'l1' } });
  await bob.until('SELECT name FROM lists', [{ name: 'two' }]);
});

describe('Values', () => {
  test("are written in PostgreSQL's text format; columns without a value get their default", async () => {
    const made = await change({
      change: 'insert',
      table: 'public.todos',
      values: { title: `it's "quoted" \\ ; --`, tags: '{a,"b c"}', at: '2026-01-01 12:00:00+01' },
    });
    expect(made).toMatchObject({ success: true, key: { id: '1' } });
    const [row] = await service.sql('SELECT title, done, tags, list FROM todos');
    expect(row).toEqual({ title: `it's "quoted" \\ ; --`, done: false, tags: ['a', 'b c'], list: null });
    await change({ change: 'update', table: 'todos', key: made.key, values: { done: 'true', title: null } });
    expect(await service.sql('SELECT title, done FROM todos')).toEqual([{ title: null, done: true }]);
  });

  test('are written to tables and columns with any name', async () => {
    const table = `public.we"ird; DROP TABLE lists`;
    await change({ change: 'insert', table, values: { 'a"b': 'x', 'c d': '1' } });
    await change({ change: 'update', table, key: { 'a"b': 'x' }, values: { 'c d': '2' } });
    expect(await service.sql(`SELECT "c d" FROM "we""ird; DROP TABLE lists"`)).toEqual([{ 'c d': 2 }]);
  });

  test('are written to a row whose key has several columns', async () => {
    await change({ change: 'insert', table: 'pairs', values: { one: 'a', two: 'b', n: '1' } });
    await change({ change: 'insert', table: 'pairs', values: { one: 'a', two: 'c', n: '1' } });
    await change({ change: 'update', table: 'pairs', key: { one: 'a', two: 'c' }, values: { n: '7' } });
    expect(await service.sql('SELECT two, n FROM pairs ORDER BY two')).toEqual([
      { two: 'b', n: 1 },
      { two: 'c', n: 7 },
    ]);
  });
});

test.each<[Edit, RegExp]>([
  [
    { change: 'update', table: 'lists', key: { id: 'nobody' }, values: { name: 'x' } },
    /no row with this key in lists/,
  ],
  [
    { change: 'update', table: 'lists', key: {}, values: { name: 'x' } },
    /whole primary key is required: id\./,
  ],
  [
    { change: 'update', table: 'lists', key: { id: 'l2' }, values: { nam: 'x' } },
    /column "nam".* does not exist/,
  ],
  [
    { change: 'update', table: 'pairs', key: { one: 'a' }, values: { n: '1' } },
    /whole primary key is required: one, two/,
  ],
  [{ change: 'delete', table: 'keyless', key: {} }, /no primary key/],
  [{ change: 'delete', table: 'nothing', key: {} }, /nothing is not a table/],
  [{ change: 'delete', table: 'headwater.log', key: {} }, /headwater belongs to the service/],
  [{ change: 'delete', table: 'pg_catalog.pg_class', key: {} }, /pg_catalog belongs to PostgreSQL/],
  [{ change: 'insert', table: 'todos', values: { id: '7' } }, /cannot insert a non-DEFAULT value/],
  [{ change: 'insert', table: 'todos', values: { title: 'forbidden' } }, /violates check constraint/],
  [{ change: 'insert', table: 'pairs', values: { one: 'x', two: 'y', n: 'many' } }, /invalid input syntax/],
])('%j is refused with an explanation, and changes nothing', async (body, message) => {
  const before = await service.sql('SELECT count(*)::int AS n FROM lists');
  expect(await change(body)).toEqual({ success: false, error: expect.stringMatching(message) });
  expect(await service.sql('SELECT count(*)::int AS n FROM lists')).toEqual(before);
});
