import { describe, expect, test } from 'vitest';
import { type Diagnosis, readDiagnosis } from '../../../../client/api/answers.ts';
import { readDeployedMaps, readSyncMap, type SyncMap } from '../../../../client/api/syncMap.ts';
import { filterPicture } from '../../../../client/console/map/filter.ts';
import {
  type MapPicture,
  pictureOf,
  type ServiceFacts,
  setUnreadAside,
  streamsOfUser,
} from '../../../../client/console/map/picture.ts';
import { entryAfter } from '../../../../client/console/map/walk.ts';
import { analyze, syncMapOf } from '../../../../server/engine/index.ts';
import { readCatalog } from '../../../support/engine/catalog.ts';

/** Returns a map as the service and the language server send it. */
function mapOf(...streams: readonly string[]): SyncMap {
  const text = `config:\n  edition: 3\nstreams:\n${streams.join('')}`;
  const catalog = readCatalog(
    'create table lists (id, owner_id)\ncreate table todos (id, list_id)\ncreate table unread (id)',
  );
  const { config } = analyze(text, { kind: 'sync', catalog });
  const map = config && readSyncMap(JSON.parse(JSON.stringify(syncMapOf(config, catalog))));
  if (map === undefined) throw new Error('There is no map.');
  return map;
}

const lists =
  '  lists:\n    auto_subscribe: true\n    query: SELECT * FROM lists WHERE owner_id = auth.user_id()\n';
const todos =
  "  todos:\n    query: SELECT * FROM todos WHERE list_id = subscription.parameter('l') AND list_id IN (SELECT id FROM lists WHERE owner_id = auth.user_id())\n";
const all = '  all:\n    query: SELECT * FROM lists\n';
const map = mapOf(lists, todos, all);

function nodeIn({ nodes }: MapPicture, id: string): MapPicture['nodes'][number] {
  const node = nodes.find((each) => each.id === id);
  if (node === undefined) throw new Error(`There is no ${id}.`);
  return node;
}

const noClients = { user: 'ada', subscriptions: [] };
const clients = [
  { user: 'ada', subscriptions: [{ stream: 'todos', parameters: { l: '1' } }] },
  { user: 'ada', subscriptions: [{ stream: 'todos', parameters: { l: '2' } }] },
  { user: 'bob', subscriptions: [] },
];

function diagnosed(tables: readonly object[], streams?: readonly object[]): Diagnosis {
  const active = {
    connections: [{ slot_name: 'a', initial_replication_done: true, tables }],
    streams,
    errors: [],
  };
  const diagnosis = readDiagnosis({ data: { connections: [], active_sync_rules: active } }, 0);
  if (diagnosis === undefined) throw new Error('This is no diagnosis.');
  return diagnosis;
}

describe('The numbers of a service', () => {
  const diagnosis = diagnosed(
    [
      { schema: 'public', name: 'lists', replication_id: ['id'], stored_rows: 41_200 },
      { schema: 'other', name: 'todos', replication_id: ['id'], stored_rows: 7 },
    ],
    [{ name: 'lists', buckets: 1 }, { name: 'todos' }],
  );

  test('are shown on the tables, streams and audiences that they describe', () => {
    const picture = pictureOf(map, { diagnosis, clients });
    expect(picture.nodes.map(({ id, numbers }) => `${id}: ${numbers.join(', ')}`)).toEqual([
      'table lists: 41,200 rows',
      'table todos: ',
      'table unread: ',
      'stream lists: 1 bucket, 3 clients',
      'stream todos: 2 clients',
      'stream all: 0 clients',
      'audience user Each user: 3 clients',
      'audience members Owners of the list (lists.owner_id): 2 clients',
      'audience subscribers Everyone who subscribes: 0 clients',
    ]);
  });

  test('are absent, not zero, if the service does not report them', () => {
    const picture = pictureOf(map, { diagnosis: diagnosed([{ schema: 'public', name: 'lists' }]) });
    expect(picture.nodes.flatMap(({ numbers }) => numbers)).toEqual([]);
  });

  const todosWith = (error: object) => {
    const table = { schema: 'public', name: 'todos', replication_id: [], errors: [error] };
    return nodeIn(pictureOf(map, { diagnosis: diagnosed([table]) }), 'table todos');
  };

  test('mark a table as missing only if the source does not have it', () => {
    const message = 'Table "public"."todos" not found.';
    expect(todosWith({ level: 'warning', kind: 'missing', message }).marks).toEqual([
      { kind: 'missing', sentence: message },
    ]);
  });

  test('mark a table as broken if the service cannot read it', () => {
    const message = 'The table "todos" is not in the publication.';
    expect(todosWith({ level: 'fatal', message }).marks).toEqual([{ kind: 'broken', sentence: message }]);
  });

  test('say nothing about a table while its source does not answer', () => {
    const error = { level: 'fatal', message: 'The database has not answered for 5 s.' };
    const table = { schema: 'public', name: 'todos', replication_id: [], errors: [error] };
    const sources = [{ id: 'default', connected: false, errors: [] }];
    const node = nodeIn(pictureOf(map, { diagnosis: { ...diagnosed([table]), sources } }), 'table todos');
    expect(node).toMatchObject({ marks: [], numbers: ['state unknown'] });
  });

  test('mark a table with any other problem neither as missing nor as broken', () => {
    const node = todosWith({ level: 'warning', message: 'The database is being reset.' });
    expect(node).toMatchObject({ marks: [], numbers: ['state unknown'] });
  });
});

describe('A pending mark', () => {
  const pendingIn = (facts: ServiceFacts, shown = map) =>
    pictureOf(shown, facts).nodes.flatMap(({ label, marks }) =>
      marks.filter(({ kind }) => kind === 'pending').map(({ sentence }) => `${label}: ${sentence}`),
    );

  test('is never shown without a service', () => {
    expect(pendingIn({})).toEqual([]);
  });

  test('is shown on every stream if no config is deployed', () => {
    expect(pendingIn({ deployed: {} }, mapOf(lists))).toEqual([
      'lists: Not deployed: no client gets it yet.',
    ]);
  });

  test('is shown on streams that are absent or different in the deployed config', () => {
    const other = lists.replace('owner_id = auth.user_id()', "owner_id = auth.parameter('team')");
    expect(pendingIn({ deployed: { active: mapOf(other, todos) } })).toEqual([
      'lists: The deployed stream is different.',
      'all: Not deployed: no client gets it yet.',
    ]);
    const copied = { active: mapOf(other, todos), pending: map };
    expect(pendingIn({ deployed: copied })).toEqual([
      'lists: Being copied: clients still get the earlier version.',
      'all: Being copied: no client gets it yet.',
    ]);
  });

  test('is not shown if the same config is deployed', () => {
    expect(pendingIn({ deployed: { active: mapOf(lists, todos, all) } })).toEqual([]);
  });
});

describe('The filter', () => {
  const labels = (picture: MapPicture) => picture.nodes.map(({ id }) => id);
  const every = { text: '', marks: new Set<never>() };

  test('shows nodes with a matching name, their streams, and the other nodes of these streams', () => {
    expect(labels(filterPicture(pictureOf(map, {}), { ...every, text: 'TODO' }))).toEqual([
      'table lists',
      'table todos',
      'stream todos',
      'audience members Owners of the list (lists.owner_id)',
    ]);
  });

  test('shows nodes with a chosen mark', () => {
    const open = filterPicture(pictureOf(map, {}), { ...every, marks: new Set(['open' as const]) });
    expect(labels(open)).toContain('stream all');
    expect(labels(open)).not.toContain('table unread');
    const unsynced = filterPicture(pictureOf(map, {}), { ...every, marks: new Set(['unsynced' as const]) });
    expect(labels(unsynced)).toEqual(['table unread']);
  });

  test('shows the streams of the clients of a user', () => {
    const streams = streamsOfUser(map, clients, 'ada');
    expect([...streams]).toEqual(['lists', 'todos']);
    const shown = filterPicture(pictureOf(map, {}), { ...every, streams });
    expect(labels(shown)).not.toContain('stream all');
    expect(labels(shown)).not.toContain('table unread');
    expect([...streamsOfUser(map, [noClients], 'bob')]).toEqual([]);
  });
});

test('Tables that no stream reads are set aside, also in the result of a search', () => {
  const { read, unread } = setUnreadAside(pictureOf(map, {}));
  expect(unread.map(({ label }) => label)).toEqual(['unread']);
  expect(read.nodes.filter(({ column }) => column === 'tables').map(({ label }) => label)).toEqual([
    'lists',
    'todos',
  ]);
  const found = setUnreadAside(filterPicture(pictureOf(map, {}), { text: 'unread', marks: new Set() }));
  expect([found.read.nodes, found.unread.map(({ label }) => label)]).toEqual([[], ['unread']]);
});

test('A stream shows who gets it, also if an older service sends no summary', () => {
  expect(nodeIn(pictureOf(map, {}), 'stream lists').summary).toBe(
    'Each user gets rows of lists. No subscription is required.',
  );
  const old = readSyncMap({ streams: [{ name: 'a', sentence: 'Everyone gets all rows of a.' }] });
  expect(old && nodeIn(pictureOf(old, {}), 'stream a').summary).toBe('Everyone gets all rows of a.');
});

describe('The arrow keys', () => {
  const { nodes, edges } = pictureOf(map, {});
  const tops = new Map(nodes.map(({ id }, index) => [id, index * 10]));
  const go = (key: string, from: string) =>
    entryAfter(key, from, { entries: nodes, edges: edges.map((edge) => ({ ...edge, count: 1 })) }, tops);

  test.each([
    ['ArrowDown', 'table lists', 'table todos'],
    ['ArrowUp', 'table lists', undefined],
    ['ArrowRight', 'table todos', 'stream todos'],
    ['ArrowLeft', 'stream todos', 'table todos'],
    ['ArrowRight', 'stream all', 'audience subscribers Everyone who subscribes'],
    ['ArrowRight', 'audience user Each user', undefined],
    // The entry has no line to the right, so the key moves to the nearest entry.
    ['ArrowRight', 'table unread', 'stream lists'],
    ['End', 'table lists', 'table unread'],
    ['Home', 'stream all', 'stream lists'],
    ['a', 'table lists', undefined],
  ])('%s moves from %s to %s', (key, from, to) => {
    expect(go(key, from)).toBe(to);
  });
});

test('An answer without a map has no map, and unknown parts of a map are skipped', () => {
  expect(readDeployedMaps('<html>')).toBeUndefined();
  expect(readDeployedMaps({ data: {} })).toEqual({});
  const strange = { tables: [null, { id: 7 }], streams: 'x', audiences: [{ id: 'a' }] };
  expect(readDeployedMaps({ data: { active_sync_rules: strange } })?.active).toMatchObject({ streams: [] });
});
