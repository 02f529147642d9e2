/** The migration of everything in a file except definitions: comments, order, options, line ends. */
import { expect, test } from 'vitest';
import { migrateToStreams } from '../../../server/engine/migrate/migrate.ts';

function migrated(text: string): string {
  const migration = migrateToStreams(text);
  if (migration.kind !== 'migrated') throw new Error(JSON.stringify(migration));
  return migration.text;
}

const boats = `# Boats of their owners.
config:
  edition: 2 # for now
  storage_version: 2

# All that is synced.
bucket_definitions:
  # Everybody has them.
  'harbours':
    data:
      - SELECT id, name FROM harbours # few

  mine: # and nobody else's
    priority: 1
    parameters:
      - SELECT request.user_id() AS owner -- the token's
    data:
      # two of them
      - |
        -- as they are
        SELECT id FROM boats
        WHERE owner_id = bucket.owner
      - SELECT id FROM trips WHERE owner_id = bucket.owner
# The end.
event_definitions:
  saved:
    payloads:
      - SELECT id FROM boats
`;

const boatsAsStreams = `# Boats of their owners.
config:
  edition: 3 # for now
  storage_version: 2

# All that is synced.
streams:
  # Everybody has them.
  # few
  'harbours':
    auto_subscribe: true
    query: SELECT id, name FROM harbours

  # and nobody else's
  # the token's
  # two of them
  # as they are
  mine:
    auto_subscribe: true
    priority: 1
    queries:
      - SELECT id FROM boats WHERE owner_id = auth.user_id()
      - SELECT id FROM trips WHERE owner_id = auth.user_id()
# The end.
event_definitions:
  saved:
    payloads:
      - SELECT id FROM boats
`;

test('keeps comments, order and all other content', () => {
  expect(migrated(boats)).toBe(boatsAsStreams);
});

test('keeps the line ends', () => {
  const windows = (text: string) => text.replaceAll('\n', '\r\n');
  expect(migrated(windows(boats))).toBe(windows(boatsAsStreams));
});

test('turns a file in braces into blocks', () => {
  const text =
    '{"bucket_definitions": {"a": {"data": ["SELECT id FROM boats"]}}, "event_definitions": {"e": {"payloads": []}}}';
  expect(migrated(text)).toBe(`config:
  edition: 3
  timestamps_iso8601: false
  custom_postgres_types: false

streams:
  "a":
    auto_subscribe: true
    query: SELECT id FROM boats
"event_definitions": {"e": {"payloads": []}}
`);
});

test('adds further options inside the braces of existing ones', () => {
  const text = 'config: {edition: 1, storage_version: 2}\nbucket_definitions:\n  a:\n    data: []\n';
  expect(
    migrated(text),
  ).toBe(`config: {timestamps_iso8601: false, custom_postgres_types: false, edition: 3, storage_version: 2}
streams:
  a:
    auto_subscribe: true
    queries: []
`);
});

test('keeps the way in which the JSON of events is read', () => {
  const text = (payload: string) =>
    `bucket_definitions:\n  a:\n    data: []\nevent_definitions:\n  e:\n    payloads:\n      - ${payload}\n`;
  expect(migrated(text("SELECT j ->> 'a.b' AS v FROM t"))).toContain('fixed_json_extract: false');
  expect(migrated(text('SELECT id FROM t'))).not.toContain('fixed_json_extract');
});

test('turns streams of edition 2 and bucket definitions into one list of streams', () => {
  const text = `config:
  edition: 2
streams:
  asked:
    query: SELECT id FROM trips WHERE id = subscription.parameter('trip')
bucket_definitions:
  given:
    data:
      - SELECT id FROM boats
`;
  expect(migrated(text)).toBe(`config:
  edition: 3
streams:
  asked:
    query: SELECT id FROM trips WHERE id = subscription.parameter('trip')
  given:
    auto_subscribe: true
    query: SELECT id FROM boats
`);
});

test('names a subquery that several queries need', () => {
  const text = `config:
  edition: 2
bucket_definitions:
  crew:
    parameters: SELECT boat_id AS boat FROM crew WHERE user_id = request.user_id()
    data:
      - SELECT id FROM boats WHERE id = bucket.boat
      - SELECT id FROM trips WHERE boat_id = bucket.boat
      - SELECT id FROM notes WHERE bucket.boat IN boats
`;
  expect(migrated(text)).toBe(`config:
  edition: 3
streams:
  crew:
    auto_subscribe: true
    with:
      crew_boat_id: SELECT boat_id FROM crew WHERE user_id = auth.user_id()
    queries:
      - SELECT id FROM boats WHERE id IN crew_boat_id
      - SELECT id FROM trips WHERE boat_id IN crew_boat_id
      - SELECT id FROM notes WHERE boats && crew_boat_id
`);
});

test('uses a join for several values of one looked-up row, and keeps the name of the synced table', () => {
  const text = `config:
  edition: 2
bucket_definitions:
  crew:
    parameters: SELECT boat_id AS boat, org FROM crew WHERE user_id = request.user_id()
    data:
      - SELECT id, name AS title FROM trips AS tours WHERE boat_id = bucket.boat AND org = bucket.org AND NOT hidden
`;
  expect(migrated(text)).toBe(`config:
  edition: 3
streams:
  crew:
    auto_subscribe: true
    query: |
      SELECT tours.id, tours.name AS title
      FROM trips AS "tours", crew
      WHERE tours.boat_id = crew.boat_id
        AND tours.org = crew.org
        AND crew.user_id = auth.user_id()
        AND NOT tours.hidden
`);
});

test('removes a priority that had no effect, and reports this', () => {
  const text = `config:
  edition: 2
streams:
  urgent:
    priority: 0
    query: SELECT id FROM boats
`;
  expect(migrateToStreams(text)).toEqual({
    kind: 'migrated',
    text: `config:
  edition: 3
streams:
  # Check: Priority 0 had no effect before edition 3, so it is omitted.
  urgent:
    query: SELECT id FROM boats
`,
    notes: ['`urgent`: Priority 0 had no effect before edition 3, so it is omitted.'],
  });
});

test('still excludes the columns that * left out, if the table is known', () => {
  const columns = new Map(['id', '_rev', 'name'].map((name) => [name, { name }]));
  const catalog = { version: '1', tables: [{ tag: 'default', schema: 'public', name: 'boats', columns }] };
  const text = 'config:\n  edition: 2\nbucket_definitions:\n  a:\n    data:\n      - SELECT * FROM boats\n';
  expect(migrateToStreams(text, { catalog })).toMatchObject({
    text: expect.stringContaining('    query: SELECT id, name FROM boats\n'),
    notes: [],
  });
  expect(migrateToStreams(text)).toMatchObject({
    text: expect.stringContaining('# Check: * now also syncs columns'),
    notes: [expect.stringContaining('* now also syncs')],
  });
});

test('still takes a column from * if the explicit value is NULL', () => {
  const columns = new Map(['id', 'name', 'nick'].map((name) => [name, { name }]));
  const catalog = { version: '1', tables: [{ tag: 'default', schema: 'public', name: 'boats', columns }] };
  const text =
    'config:\n  edition: 2\nbucket_definitions:\n  a:\n    data:\n      - SELECT nick AS name, nick AS title, * FROM boats\n';
  expect(migrateToStreams(text, { catalog })).toMatchObject({
    text: expect.stringContaining(
      '    query: SELECT *, ifnull(nick, name) AS name, nick AS title FROM boats\n',
    ),
  });
});

test('refuses a file with an error, and names the error', () => {
  const migration = migrateToStreams('bucket_definitions:\n  a:\n    data:\n      - SELECT id FORM boats\n');
  expect(migration).toMatchObject({
    kind: 'refused',
    reasons: [{ sentence: expect.stringContaining('The file has an error that must be fixed first:') }],
  });
});
