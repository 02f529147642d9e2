import { describe, expect, test } from 'vitest';
import { acted, titles } from './act.ts';

/** The title of the fix, the config with a cursor, and the config after the fix. */
const rows: readonly (readonly [title: string, before: string, after: string])[] = [
  ['Write streams', 'config:\n  edition: 3\nstre<|>ms: {}\n', 'config:\n  edition: 3\nstreams: {}\n'],
  [
    'Remove colour',
    'config:\n  edition: 3\nstreams:\n  a:\n    query: SELECT id FROM t\n    col<|>our: red # really\n  b:\n    query: SELECT id FROM u\n',
    'config:\n  edition: 3\nstreams:\n  a:\n    query: SELECT id FROM t\n  b:\n    query: SELECT id FROM u\n',
  ],
  [
    'Remove colour',
    'config: { edition: 3, <|>colour: red }\nstreams: {}\n',
    'config: { edition: 3 }\nstreams: {}\n',
  ],
  [
    'Remove edition',
    'config:\n  edition: 3\n  <|>edition: 2\nstreams: {}\n',
    'config:\n  edition: 3\nstreams: {}\n',
  ],
  [
    'Make it a list',
    'config:\n  edition: 3\nstreams:\n  a:\n    queries: <|>SELECT id FROM t\n',
    'config:\n  edition: 3\nstreams:\n  a:\n    queries:\n      - SELECT id FROM t\n',
  ],
  [
    'Make it a list',
    'config:\n  edition: 3\nstreams:\n  a:\n    queries:\n      <|>SELECT id FROM t -- all\n      - SELECT id FROM u\n',
    'config:\n  edition: 3\nstreams:\n  a:\n    queries:\n      - SELECT id FROM t -- all\n      - SELECT id FROM u\n',
  ],
  [
    'Write true',
    'config:\n  edition: 3\nstreams:\n  a:\n    auto_subscribe: <|>yes\n    query: SELECT id FROM t\n',
    'config:\n  edition: 3\nstreams:\n  a:\n    auto_subscribe: true\n    query: SELECT id FROM t\n',
  ],
  [
    'Write query',
    'config:\n  edition: 3\nstreams:\n  a:\n    s<|>ql: SELECT id FROM t\n',
    'config:\n  edition: 3\nstreams:\n  a:\n    query: SELECT id FROM t\n',
  ],
  [
    'Write queries',
    'config:\n  edition: 3\nstreams:\n  a:\n    d<|>ata:\n      - SELECT id FROM t\n',
    'config:\n  edition: 3\nstreams:\n  a:\n    queries:\n      - SELECT id FROM t\n',
  ],
  [
    'Write 1',
    'config:\n  edition: 3\nstreams:\n  a:\n    priority: <|>high\n    query: SELECT id FROM t\n',
    'config:\n  edition: 3\nstreams:\n  a:\n    priority: 1\n    query: SELECT id FROM t\n',
  ],
  [
    'Indent with spaces',
    'config:\n<|>\tedition: 3\nstreams:\n\ta:\n\t\tquery: SELECT id FROM t\n',
    'config:\n  edition: 3\nstreams:\n  a:\n    query: SELECT id FROM t\n',
  ],
  ['Write 3', 'config:\n  edition: <|>"3"\nstreams: {}\n', 'config:\n  edition: 3\nstreams: {}\n'],
  [
    'Write 3',
    'config:\n  edition: 3\nstreams:\n  a:\n    priority: <|>7\n    query: SELECT id FROM t\n',
    'config:\n  edition: 3\nstreams:\n  a:\n    priority: 3\n    query: SELECT id FROM t\n',
  ],
  [
    'Write milliseconds',
    'config:\n  edition: 3\n  timestamp_max_precision: <|>miliseconds\nstreams: {}\n',
    'config:\n  edition: 3\n  timestamp_max_precision: milliseconds\nstreams: {}\n',
  ],
  [
    'Use edition 3',
    'config:\n  edition: 2\nstreams:\n  a:\n    <|>query: SELECT id FROM t\n',
    'config:\n  edition: 3\nstreams:\n  a:\n    query: SELECT id FROM t\n',
  ],
  [
    'Migrate to Sync Streams',
    'config:\n  edition: 3\nstreams: {}\nbucket_definitions:\n  a:\n    <|>data:\n      - SELECT id FROM t\n',
    'config:\n  edition: 3\nstreams:\n  a:\n    auto_subscribe: true\n    query: SELECT id FROM t\n',
  ],
  ['Add streams', 'co<|>nfig:\n  edition: 3', 'config:\n  edition: 3\nstreams: {}\n'],
  ['Add streams', '<|>', 'config:\n  edition: 3\n\nstreams: {}\n'],
  [
    'Accept that every client can choose these rows',
    "config:\n  edition: 3\nstreams:\n  a:\n    query: SELECT id FROM t WHERE id = <|>subscription.parameter('id')\n",
    "config:\n  edition: 3\nstreams:\n  a:\n    accept_potentially_dangerous_queries: true\n    query: SELECT id FROM t WHERE id = subscription.parameter('id')\n",
  ],
  [
    'Remove the CTE',
    'config:\n  edition: 3\nstreams:\n  a:\n    with:\n      <|>b: SELECT id FROM u\n    query: SELECT id FROM t\n',
    'config:\n  edition: 3\nstreams:\n  a:\n    query: SELECT id FROM t\n',
  ],
  [
    'Make it a block',
    "config:\n  edition: 3\nstreams:\n  a:\n    query: SELECT id FROM t WHERE x = 'a: <|>b'\n",
    "config:\n  edition: 3\nstreams:\n  a:\n    query: |\n      SELECT id FROM t WHERE x = 'a: b'\n",
  ],
  [
    'Write two queries',
    'config:\n  edition: 3\nstreams:\n  a:\n    query: |\n      <|>SELECT id FROM t\n      UNION ALL\n      SELECT id FROM u\n',
    'config:\n  edition: 3\nstreams:\n  a:\n    queries:\n      - SELECT id FROM t\n      - SELECT id FROM u\n',
  ],
  [
    'Write two queries',
    'config:\n  edition: 3\nstreams:\n  a:\n    queries:\n    - <|>SELECT id FROM t UNION SELECT id FROM u\n    - SELECT id FROM v\n',
    'config:\n  edition: 3\nstreams:\n  a:\n    queries:\n    - SELECT id FROM t\n    - SELECT id FROM u\n    - SELECT id FROM v\n',
  ],
  [
    'Put the query into the list',
    'config:\n  edition: 3\nstreams:\n  a:\n    <|>query: SELECT id FROM t\n    queries:\n      - SELECT id FROM u\n',
    'config:\n  edition: 3\nstreams:\n  a:\n    queries:\n      - SELECT id FROM t\n      - SELECT id FROM u\n',
  ],
  [
    'Write the columns instead of *',
    'config:\n  edition: 3\nwith:\n  c: SELECT <|>* FROM t\nstreams:\n  a:\n    query: SELECT id FROM c\n=== catalog\ncreate table t (id text not null, name text)\n',
    'config:\n  edition: 3\nwith:\n  c: SELECT id, name FROM t\nstreams:\n  a:\n    query: SELECT id FROM c\n',
  ],
  [
    'Rename to a_2',
    'config:\n  edition: 2\nstreams:\n  a:\n    query: SELECT id FROM t\nbucket_definitions:\n  <|>a:\n    data: []\n',
    'config:\n  edition: 2\nstreams:\n  a:\n    query: SELECT id FROM t\nbucket_definitions:\n  a_2:\n    data: []\n',
  ],
  [
    'Remove the comment',
    'config:\n  edition: 3\nstreams:\n  # headwater-ignore <|>unused-cte\n  a:\n    query: SELECT id FROM t\n',
    'config:\n  edition: 3\nstreams:\n  a:\n    query: SELECT id FROM t\n',
  ],
  [
    'Write missing-id',
    'config:\n  edition: 3\nstreams:\n  # headwater-ignore <|>mising-id\n  a:\n    query: SELECT name FROM t\n',
    'config:\n  edition: 3\nstreams:\n  # headwater-ignore missing-id\n  a:\n    query: SELECT name FROM t\n',
  ],
];

test.each(rows)('%s: %s', (title, before, expected) => {
  expect(acted(before, title, { kind: 'sync' })).toBe(expected);
});

describe('In a service config', () => {
  test('a key that has no effect gets the key that it needs', () => {
    const text = 'client_auth:\n  audience: [a]\n  <|>supabase_jwt_secret: !env PS_SECRET\n';
    expect(acted(text, 'Set supabase to true', { kind: 'service' })).toBe(
      'client_auth:\n  supabase: true\n  audience: [a]\n  supabase_jwt_secret: !env PS_SECRET\n',
    );
  });

  test('a parameter of a URI that is ignored becomes a key', () => {
    const text =
      'storage:\n  type: postgresql\n  uri: postgresql://h:1/app?x=1&sslmode=dis<|>able\n  username: u\n  password: !env PS_P\n';
    expect(acted(text, 'Make sslmode a key', { kind: 'service' })).toBe(
      'storage:\n  sslmode: disable\n  type: postgresql\n  uri: postgresql://h:1/app?x=1\n  username: u\n  password: !env PS_P\n',
    );
  });
});

test('A bucket parameter with another name gets the name from its definition', () => {
  const text =
    'bucket_definitions:\n  a:\n    parameters: SELECT request.user_id() AS owner\n    data:\n      - <|>SELECT * FROM t WHERE owner_id = bucket.owner_id\n';
  expect(acted(text, 'Write bucket.owner')).toBe(
    text.replace('<|>', '').replace('bucket.owner_id', 'bucket.owner'),
  );
});

describe('A finding that is a warning can be ignored', () => {
  test('above the line, with its indentation', () => {
    const text = 'config:\n  edition: 3\nstreams:\n  a:\n    query: SELECT <|>name FROM t\n';
    expect(acted(text, 'Ignore missing-id here')).toBe(
      'config:\n  edition: 3\nstreams:\n  a:\n    # headwater-ignore missing-id\n    query: SELECT name FROM t\n',
    );
  });

  test('in a block, with an SQL comment', () => {
    const text =
      'config:\n  edition: 3\nstreams:\n  a:\n    query: |\n      SELECT\n        <|>name\n      FROM t\n';
    expect(acted(text, 'Ignore missing-id here')).toBe(
      'config:\n  edition: 3\nstreams:\n  a:\n    query: |\n      SELECT\n        -- headwater-ignore missing-id\n        name\n      FROM t\n',
    );
  });

  test('in a value of several lines, above its first line', () => {
    const text = 'config:\n  edition: 3\nstreams:\n  a:\n    query: SELECT\n      <|>name\n      FROM t\n';
    expect(acted(text, 'Ignore missing-id here')).toBe(
      'config:\n  edition: 3\nstreams:\n  a:\n    # headwater-ignore missing-id\n    query: SELECT\n      name\n      FROM t\n',
    );
  });

  test('but not an error', () => {
    const text = 'config:\n  edition: 3\nstreams:\n  a:\n    query: SELECT id FROM t WHERE <|>nope()\n';
    expect(titles(text).filter((title) => title.startsWith('Ignore'))).toEqual([]);
  });
});

describe('All findings of a kind', () => {
  const text = `config:
  edition: 3
streams:
  a:
    queries:
      - SELECT id FROM t WHERE <|>x = NULL
      - SELECT id FROM t WHERE x = NULL AND y != NULL
      - SELECT id FROM t ORDER BY id
`;

  test('are repaired at once', () => {
    expect(acted(text, 'Fix all filter-on-null problems')).toBe(`config:
  edition: 3
streams:
  a:
    queries:
      - SELECT id FROM t WHERE x IS NULL
      - SELECT id FROM t WHERE x IS NULL AND y IS NOT NULL
      - SELECT id FROM t ORDER BY id
`);
  });

  test.each([
    ['config:\n  edition: 3\nstreams: {}\nstre<|>mas: {}\n'],
    [
      'config:\n  edition: 3\nstreams:\n  a:\n    query: SELECT id FROM t\n    auto_subscribe: true\n    auto_sub<|>scrib: true\n',
    ],
  ])('except that a key whose correct name already exists can only be removed', (text) => {
    expect(titles(text).filter((title) => title.startsWith('Write'))).toEqual([]);
    expect(titles(text).filter((title) => title.startsWith('Remove'))).toHaveLength(1);
  });

  test('can be repaired together with all other sure fixes', () => {
    expect(acted(text, 'Fix all problems with an unambiguous fix')).toBe(`config:
  edition: 3
streams:
  a:
    queries:
      - SELECT id FROM t WHERE x IS NULL
      - SELECT id FROM t WHERE x IS NULL AND y IS NOT NULL
      - SELECT id FROM t
`);
  });
});

test('in a foreign file, nothing is offered', () => {
  expect(titles('apiVersion: v1\nki<|>nd: Service\nstremas: {}\n', { fileName: 'x.yaml' })).toEqual([]);
});
