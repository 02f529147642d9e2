import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  analyze,
  type ConfigMap,
  type KnownSource,
  readScripts,
  syncMapOf,
} from '../../../server/engine/index.ts';
import { readCatalog } from '../../support/engine/catalog.ts';
import { readExamples } from '../../support/engine/examples.ts';

function mapOf(text: string, source?: Partial<KnownSource>): ConfigMap {
  const { config } = analyze(text, { kind: 'sync', ...source });
  if (config === undefined) throw new Error('This is no sync config.');
  return syncMapOf(config, source?.catalog);
}

/** Draws a line for each table that a stream reads, with the audience of the stream, then a line for each mark. */
function draw({ tables, streams, audiences }: ConfigMap): string[] {
  const labels = new Map(audiences.map(({ id, label }) => [id, label]));
  return [
    ...streams.flatMap(({ name, tables: read, audiences: ids }) =>
      read.map(
        ({ table, use }) =>
          `${table} ${use === 'rows' ? '→' : '⇢'} ${name} → ${ids.map((id) => labels.get(id)).join(' | ')}`,
      ),
    ),
    ...[
      ...tables.map(({ id, marks }) => ({ id, marks })),
      ...streams.map(({ name: id, marks }) => ({ id, marks })),
    ].flatMap(({ id, marks }) => marks.map(({ kind, sentence }) => `${kind}: ${id}: ${sentence}`)),
  ];
}

function stream(query: string, more = ''): string {
  return `config:\n  edition: 3\nstreams:\n  mine:\n    auto_subscribe: true\n${more}    query: ${query}\n`;
}

describe('The audience of a stream', () => {
  test.each([
    ['SELECT * FROM a', 'Everyone'],
    ['SELECT * FROM a WHERE owner_id = auth.user_id()', 'Each user'],
    ["SELECT * FROM a WHERE team = auth.parameter('team_id')", 'Users with team_id in the token'],
    [
      "SELECT * FROM a WHERE team = auth.parameter('team_id') AND owner = auth.user_id()",
      'Each user with team_id in the token',
    ],
    [
      'SELECT * FROM a WHERE b_id IN (SELECT id FROM beds WHERE owner_id = auth.user_id())',
      'Owners of the bed (beds.owner_id)',
    ],
    [
      'SELECT * FROM a WHERE plot IN (SELECT plot_id FROM memberships WHERE user_id = auth.user_id())',
      'Members of the plot (memberships.user_id)',
    ],
    [
      'SELECT * FROM a WHERE job IN (SELECT "jobId" FROM work WHERE user_id = auth.user_id())',
      'Users of the job (work.user_id)',
    ],
    [
      'SELECT * FROM a WHERE plot IN (SELECT id FROM plots WHERE farm IN (SELECT farm_id FROM members WHERE user_id = auth.user_id()))',
      'Members of the farm (members.user_id)',
    ],
    [
      "SELECT * FROM a WHERE list IN (SELECT id FROM lists WHERE team = auth.parameter('team_id'))",
      'Users of the list with team_id in the token (lists.team)',
    ],
    [
      "SELECT * FROM a WHERE list IN (SELECT id FROM lists WHERE lower(mail) = auth.parameter('mail'))",
      'Users of the list with mail in the token (lists)',
    ],
    [
      "SELECT * FROM a WHERE list IN (SELECT id FROM lists WHERE team IN auth.parameter('teams'))",
      'Users found through each row of lists',
    ],
    [
      "SELECT * FROM a WHERE plot = subscription.parameter('plot') AND plot IN (SELECT plot_id FROM memberships WHERE user_id = auth.user_id())",
      'Members of the plot (memberships.user_id)',
    ],
    [
      'SELECT * FROM a WHERE owner_id = auth.user_id() AND plot IN (SELECT plot_id FROM memberships WHERE user_id = auth.user_id())',
      'Each user (only if found in memberships.user_id)',
    ],
    ['SELECT * FROM a WHERE id IN (SELECT a_id FROM b)', 'Everyone (for each row of b)'],
    ["SELECT * FROM a WHERE team IN auth.parameter('teams')", "Each element of auth.parameter('teams')"],
    [
      'SELECT * FROM a WHERE auth.user_id() IN (SELECT user_id FROM admins)',
      'Users found in admins (admins.user_id)',
    ],
    [
      "SELECT * FROM a WHERE auth.parameter('role') = 'admin'",
      "Users (only if auth.parameter('role') = 'admin')",
    ],
    ["SELECT * FROM a WHERE id = subscription.parameter('id')", 'Any client that asks'],
    ["SELECT * FROM a WHERE team = connection.parameter('team')", 'Any client that asks'],
    [
      "SELECT * FROM a WHERE id = subscription.parameter('id') AND owner_id = auth.user_id()",
      'Each user who subscribes',
    ],
    // A condition that is not part of the bucket key is shown as a guard.
    [
      "SELECT * FROM a WHERE id = subscription.parameter('id') AND auth.parameter('role') = 'admin'",
      "Any client that asks (only if auth.parameter('role') = 'admin')",
    ],
    [
      "SELECT * FROM a WHERE team = connection.parameter('team') AND auth.user_id() IN (SELECT user_id FROM admins)",
      'Any client that asks (only if found in admins)',
    ],
    [
      "SELECT * FROM a WHERE id IN (SELECT a_id FROM b WHERE code = subscription.parameter('code')) AND auth.parameter('role') = 'admin'",
      "Any client that asks (only if auth.parameter('role') = 'admin')",
    ],
    [
      "SELECT * FROM a WHERE owner_id = auth.user_id() AND auth.parameter('role') = 'admin'",
      "Each user (only if auth.parameter('role') = 'admin')",
    ],
    [
      'SELECT * FROM a WHERE id IN (SELECT a_id FROM b) AND auth.user_id() IN (SELECT user_id FROM admins)',
      'Everyone (for each row of b, only if found in admins)',
    ],
    [
      "SELECT * FROM a WHERE auth.user_id() IN (SELECT user_id FROM admins) AND auth.parameter('role') = 'admin'",
      "Users found in admins (admins.user_id, only if auth.parameter('role') = 'admin')",
    ],
    // No guard: the client chooses the value itself, or the condition has the same result for all clients.
    [
      "SELECT * FROM a WHERE id = subscription.parameter('id') AND connection.parameter('role') = 'admin'",
      'Any client that asks',
    ],
    ["SELECT * FROM a WHERE subscription.parameter('code') IN (SELECT code FROM b)", 'Any client that asks'],
    ["SELECT * FROM a WHERE 'on' IN (SELECT state FROM b)", 'Everyone (only if b has a matching row)'],
  ])('%s: %s', (query, label) => {
    expect(mapOf(stream(query)).audiences.map((audience) => audience.label)).toEqual([label]);
  });

  test('is all subscribers if the stream needs a subscription', () => {
    const text = 'config:\n  edition: 3\nstreams:\n  mine:\n    query: SELECT * FROM a\n';
    expect(mapOf(text).audiences.map(({ kind }) => kind)).toEqual(['subscribers']);
  });

  test('is listed once for several streams', () => {
    const text = `config:\n  edition: 3\nstreams:\n  a:\n    query: SELECT * FROM a WHERE u = auth.user_id()\n  b:\n    query: SELECT * FROM b WHERE u = auth.user_id()\n`;
    const { audiences, streams } = mapOf(text);
    expect(audiences).toHaveLength(1);
    expect(streams.map((each) => each.audiences)).toEqual([[audiences[0]?.id], [audiences[0]?.id]]);
  });
});

describe('The map', () => {
  test('shows which tables are synced and which only decide access', () => {
    expect(draw(mapOf(example('team-chat')))).toEqual([
      'channels → channels → Members of the channel (members.user_id)',
      'members → channels → Members of the channel (members.user_id)',
      'members ⇢ channels → Members of the channel (members.user_id)',
      'messages → messages → Members of the channel (members.user_id)',
      'members ⇢ messages → Members of the channel (members.user_id)',
      'reports → reports → Members of the channel (members.user_id)',
      'members ⇢ reports → Members of the channel (members.user_id)',
    ]);
  });

  test('has the same form for bucket definitions', () => {
    const map = mapOf(example('legacy-rules'));
    expect(map.streams.every(({ kind }) => kind === 'bucket definition')).toBe(true);
    expect(map.audiences.length).toBeGreaterThan(0);
  });

  test('describes each stream and table in a sentence', () => {
    const { streams, tables } = mapOf(example('todo'));
    expect([...streams, ...tables].map(({ sentence }) => sentence)).toEqual([
      'Each user gets rows of lists. No subscription is required. Buckets: 1 bucket per client.',
      'Owners of the list (lists.owner_id) get rows of todos. A subscription is required. Access depends on rows of lists. Buckets: 1 bucket per subscription.',
      'Synced by lists. Access to todos depends on its rows.',
      'Synced by todos.',
    ]);
  });

  test('links each stream to its name in the file', () => {
    const text = example('team-chat');
    const { streams } = mapOf(text);
    expect(streams.map(({ at }) => text.slice(at.start, at.end))).toEqual(streams.map(({ name }) => name));
  });

  test('replaces a pattern with the tables that it matches', () => {
    const catalog = readCatalog(
      'create table todos_1 (id)\ncreate table todos_2 (id)\ncreate table lists (id)',
    );
    const text = stream('SELECT * FROM "todos_%"');
    expect(draw(mapOf(text, { catalog }))).toEqual([
      'todos_1 → mine → Everyone',
      'todos_2 → mine → Everyone',
      'unsynced: lists: No stream reads this table.',
    ]);
    expect(draw(mapOf(text))).toEqual(['todos_% → mine → Everyone']);
  });

  test('contains both ends of each line, for every recorded config', () => {
    for (const { text, defaultSchema, catalog, name } of readExamples()) {
      const { config } = analyze(text, { kind: 'sync', defaultSchema, catalog });
      if (config === undefined) continue;
      const map = syncMapOf(config, catalog);
      const ids = new Set([...map.tables.map(({ id }) => id), ...map.audiences.map(({ id }) => id)]);
      for (const { tables, audiences } of map.streams)
        for (const end of [...tables.map(({ table }) => table), ...audiences])
          expect(ids, `${name}: ${end}`).toContain(end);
    }
  });
});

describe('The map marks', () => {
  const owned = 'create table a (id uuid, owner_id uuid, name text)';

  test('missing tables and columns, and the streams that read them', () => {
    const catalog = readCatalog(owned);
    const text = `config:\n  edition: 3\nstreams:\n  one:\n    query: SELECT * FROM gone WHERE u = auth.user_id()\n  two:\n    query: SELECT id, nmae FROM a AS x WHERE owner_id = auth.user_id()\n`;
    expect(draw(mapOf(text, { catalog })).filter((line) => line.startsWith('missing'))).toEqual([
      'missing: gone: The source has no table gone.',
      'missing: a: a has no column nmae.',
      'missing: one: The source has no table gone.',
      'missing: two: a has no column nmae.',
    ]);
  });

  test('nothing as missing if the source is unknown', () => {
    expect(draw(mapOf(stream('SELECT * FROM gone')))).toEqual(['gone → mine → Everyone']);
  });

  test('tables that no stream syncs, even if they decide access', () => {
    const catalog = readCatalog(
      `${owned}\ncreate table b (id)\ncreate table c (id)\ncreate table other.d (id)`,
    );
    const text = stream('SELECT * FROM a WHERE owner_id IN (SELECT id FROM b WHERE id = auth.user_id())');
    expect(draw(mapOf(text, { catalog })).filter((line) => line.startsWith('unsynced'))).toEqual([
      'unsynced: b: No stream syncs rows of this table.',
      'unsynced: c: No stream reads this table.',
    ]);
  });

  test.each([
    ['SELECT * FROM a', 'everybody has it'],
    ["SELECT * FROM a WHERE id = subscription.parameter('id')", 'any client that asks'],
  ])('rows that have an owner although everybody can get them: %s', (query) => {
    const catalog = readCatalog(owned);
    const sentence =
      'Everyone can get the rows of a through mine, although the column owner_id identifies the owner of a row.';
    expect(draw(mapOf(stream(query), { catalog })).slice(1)).toEqual([
      `open: a: ${sentence}`,
      `open: mine: ${sentence}`,
    ]);
  });

  test.each([
    'SELECT * FROM a WHERE owner_id = auth.user_id()',
    "SELECT * FROM a WHERE id = subscription.parameter('id') AND auth.parameter('role') = 'admin'",
    "SELECT * FROM a WHERE id = connection.parameter('id') AND auth.user_id() IN (SELECT user_id FROM admins)",
    // This condition selects the rows that are meant for everybody.
    "SELECT * FROM a WHERE name = 'public'",
  ])('nothing as open if a condition restricts the rows: %s', (query) => {
    const catalog = readCatalog(`${owned}\ncreate table admins (id uuid, user_id uuid)`);
    expect(draw(mapOf(stream(query), { catalog })).filter((line) => line.startsWith('open'))).toEqual([]);
  });

  test('tables with row-level security whose rows everybody can get', () => {
    const withPolicies = (sql: string) =>
      readScripts([{ path: 'schema.sql', text: `CREATE TABLE a (id uuid, name text);${sql}` }]);
    const open = (sql: string) =>
      draw(mapOf(stream('SELECT * FROM a'), withPolicies(sql))).filter((line) => line.startsWith('open: a'));
    expect(open('')).toEqual([]);
    expect(open('ALTER TABLE a ENABLE ROW LEVEL SECURITY;')).toEqual([
      'open: a: Everyone can get the rows of a through mine, although the table has row-level security.',
    ]);
    expect(
      open('ALTER TABLE ONLY a ENABLE ROW LEVEL SECURITY; ALTER TABLE a DISABLE ROW LEVEL SECURITY;'),
    ).toEqual([]);
    expect(
      open('ALTER TABLE a ENABLE ROW LEVEL SECURITY; CREATE TABLE IF NOT EXISTS a (id uuid);'),
    ).toHaveLength(1);
  });

  test('a stream with an error as broken', () => {
    const map = mapOf(stream('SELECT * FROM a WHERE nothing('));
    expect(draw(map)).toEqual(['broken: mine: This definition has an error, so its rows are unknown.']);
  });
});

test('The map of 200 tables and 1,000 streams has each of them once', () => {
  const tables = Array.from({ length: 200 }, (_, index) => `t${index}`);
  const streams = Array.from(
    { length: 1000 },
    (_, index) => `  s${index}:\n    query: SELECT * FROM ${tables[index % 200]} WHERE u = auth.user_id()\n`,
  );
  const map = mapOf(`config:\n  edition: 3\nstreams:\n${streams.join('')}`);
  expect([map.tables.length, map.streams.length, map.audiences.length]).toEqual([200, 1000, 1]);
});

function example(name: string): string {
  return readFileSync(`examples/${name}/sync.yaml`, 'utf8');
}
