import { describe, expect, test } from 'vitest';
import { acted, offered, titles } from './act.ts';

const stream = (body: string) => `config:\n  edition: 3\nstreams:\n  a:\n${body}`;

describe('A subquery becomes a CTE', () => {
  test('of its stream, named after its table and column', () => {
    const text = stream(
      '    query: SELECT * FROM trips WHERE boat_id IN (SELECT <|>id FROM boats WHERE owner = auth.user_id()) # mine\n',
    );
    expect(acted(text, 'Extract to the CTE boats_id')).toBe(
      stream(
        '    with:\n      boats_id: SELECT id FROM boats WHERE owner = auth.user_id()\n    query: SELECT * FROM trips WHERE boat_id IN boats_id # mine\n',
      ),
    );
  });

  test('next to existing CTEs, under a name that is not in use', () => {
    const text = stream(`    with:
      boats_id: SELECT id FROM boats
    queries:
      - SELECT * FROM trips WHERE boat_id IN boats_id
      - 'SELECT * FROM crew WHERE boat IN (SELECT <|>id FROM boats WHERE kind = ''a'')'
`);
    expect(acted(text, 'Extract to the CTE boats_id_2')).toBe(
      stream(`    with:
      boats_id_2: SELECT id FROM boats WHERE kind = 'a'
      boats_id: SELECT id FROM boats
    queries:
      - SELECT * FROM trips WHERE boat_id IN boats_id
      - 'SELECT * FROM crew WHERE boat IN boats_id_2'
`),
    );
  });

  test('and keeps its alias in FROM', () => {
    const text = stream('    query: SELECT q.id FROM (SELECT <|>id FROM boats) AS q\n');
    expect(acted(text, 'Extract to the CTE q_rows')).toBe(
      stream('    with:\n      q_rows: SELECT id FROM boats\n    query: SELECT q.id FROM q_rows AS q\n'),
    );
  });

  test('unless it uses names of the outer query', () => {
    const text = stream(
      '    query: SELECT * FROM trips WHERE boat_id IN (SELECT <|>b.id FROM boats b WHERE b.org = trips.org)\n',
    );
    expect(titles(text).filter((title) => title.startsWith('Extract'))).toEqual([]);
  });
});

describe('A CTE is inlined', () => {
  const text = stream(`    with:
      mine: |
        SELECT id
        FROM boats
        WHERE owner = auth.user_id()
    queries:
      - SELECT * FROM trips WHERE boat_id IN mi<|>ne
      - "SELECT * FROM crew WHERE boats && mine AND x = '\\x41'"
      - SELECT m.id FROM mine AS m
      - SELECT mine.id FROM mine
`);

  test('wherever it is used, and then removed', () => {
    expect(acted(text, 'Inline the CTE mine')).toBe(
      stream(`    queries:
      - SELECT * FROM trips WHERE boat_id IN (SELECT id FROM boats WHERE owner = auth.user_id())
      - "SELECT * FROM crew WHERE boats && (SELECT id FROM boats WHERE owner = auth.user_id()) AND x = '\\x41'"
      - SELECT m.id FROM (SELECT id FROM boats WHERE owner = auth.user_id()) AS m
      - SELECT mine.id FROM (SELECT id FROM boats WHERE owner = auth.user_id()) AS mine
`),
    );
  });

  test('in all streams if it is global, from its name', () => {
    const global = `config:
  edition: 3
with:
  mi<|>ne: SELECT id FROM boats WHERE owner = auth.user_id()
  other: SELECT id FROM boats
streams:
  a:
    query: SELECT * FROM trips WHERE boat_id IN mine AND id IN other
  b:
    query: |-
      SELECT * FROM crew
      WHERE boat IN mine
`;
    expect(acted(global, 'Inline the CTE mine')).toBe(`config:
  edition: 3
with:
  other: SELECT id FROM boats
streams:
  a:
    query: SELECT * FROM trips WHERE boat_id IN (SELECT id FROM boats WHERE owner = auth.user_id()) AND id IN other
  b:
    query: |-
      SELECT * FROM crew
      WHERE boat IN (SELECT id FROM boats WHERE owner = auth.user_id())
`);
  });
});

describe('Subqueries and joins', () => {
  const asSubquery = stream(
    '    query: SELECT trips.* FROM trips WHERE trips.boat_id IN (SELECT boats.id<|> FROM boats WHERE boats.owner = auth.user_id()) AND trips.x = 1\n',
  );
  const asJoin = stream(
    '    query: SELECT trips.* FROM trips JOIN boats<|> ON trips.boat_id = boats.id WHERE boats.owner = auth.user_id() AND trips.x = 1\n',
  );
  const plain = (text: string) => text.replace('<|>', '');

  test('are turned into each other', () => {
    expect(acted(asSubquery, 'Write the subquery as a join')).toBe(plain(asJoin));
    expect(acted(asJoin, 'Write the join as a subquery')).toBe(plain(asSubquery));
  });

  test('are rewritten with a table in front of unqualified names', () => {
    const text = stream(`    query: |
      SELECT *
      FROM trips AS "tours"
      WHERE boat_id IN (SELECT <|>id FROM boats b WHERE owner = auth.user_id() AND (x OR y)) AND z
`);
    expect(acted(text, 'Write the subquery as a join')).toBe(
      stream(`    query: |
      SELECT "tours".*
      FROM trips AS "tours"
      JOIN boats b ON "tours".boat_id = b.id
      WHERE b.owner = auth.user_id() AND (b.x OR b.y) AND "tours".z
`),
    );
  });

  test.each([
    ['below an OR', 'SELECT * FROM trips WHERE x OR boat_id IN (SELECT <|>id FROM boats)'],
    ['in a query with a comment', 'SELECT * FROM trips /* all */ WHERE boat_id IN (SELECT <|>id FROM boats)'],
    [
      'with columns of both tables',
      'SELECT trips.id, boats.id FROM trips JOIN <|>boats ON boats.id = trips.boat_id',
    ],
  ])('are not rewritten %s', (_, query) => {
    const rewrites = titles(stream(`    query: ${query}\n`)).filter((title) => /join/.test(title));
    expect(rewrites).toEqual([]);
  });
});

describe('Stars and columns:', () => {
  const catalog = '=== catalog\ncreate table trips (id text, _rev text, "Odd" text, name text)\n'.replaceAll(
    '"',
    '',
  );

  test('a star of a known table becomes the columns that are not selected yet', () => {
    const text = `${stream('    query: SELECT t.<|>*, 1 AS name FROM trips t\n')}${catalog}`;
    expect(acted(text, 'Write the columns instead of *')).toBe(
      stream('    query: SELECT t.id, t._rev, t."Odd", 1 AS name FROM trips t\n'),
    );
  });

  test('all columns of a known table become a star', () => {
    const text = `${stream('    query: SELECT <|>id, _rev, "Odd", name FROM trips\n')}${catalog}`;
    expect(acted(text, 'Write * instead of all columns')).toBe(stream('    query: SELECT * FROM trips\n'));
  });

  test('a star of a bucket definition does not become hidden columns', () => {
    const text = `bucket_definitions:\n  a:\n    data:\n      - SELECT <|>* FROM trips\n${catalog}`;
    expect(acted(text, 'Write the columns instead of *')).toBe(
      'bucket_definitions:\n  a:\n    data:\n      - SELECT id, "Odd", name FROM trips\n',
    );
  });

  test('a star of an unknown table is not expanded', () => {
    const text = stream('    query: SELECT <|>* FROM trips\n');
    expect(titles(text)).not.toContain('Write the columns instead of *');
  });
});

describe('A query and a list of queries', () => {
  const single = stream(
    '    que<|>ry: |2\n       SELECT *\n      FROM trips\n\n      WHERE x\n    priority: 1\n',
  );
  const list = stream(
    '    que<|>ries:\n      - |2\n         SELECT *\n        FROM trips\n\n        WHERE x\n    priority: 1\n',
  );
  const plain = (text: string) => text.replace('<|>', '');

  test('are turned into each other with any indentation', () => {
    expect(acted(single, 'Write a list of queries')).toBe(plain(list));
    expect(acted(list, 'Write a single query')).toBe(plain(single));
  });

  test('are rewritten even if the list is not indented', () => {
    const text = stream('    queries:\n    - |\n      SELECT <|>id\n      FROM t\n');
    expect(acted(text, 'Write a single query')).toBe(stream('    query: |\n      SELECT id\n      FROM t\n'));
  });

  test('are not rewritten if the list has two queries', () => {
    const text = stream('    que<|>ries:\n      - SELECT id FROM t\n      - SELECT id FROM u\n');
    expect(titles(text)).not.toContain('Write a single query');
  });
});

describe('The sync config of a service', () => {
  const inside = 'sync_config:\n  con<|>tent: |\n    config:\n      edition: 3\n\n    streams: {}\n';
  const beside = 'sync_config:\n  path: sync-config.yaml\n';
  const file = 'config:\n  edition: 3\n\nstreams: {}\n';

  test('is moved to a separate file', () => {
    const { all } = offered(inside, { kind: 'service' });
    expect(all.find(({ title }) => title === 'Move the sync config to sync-config.yaml')).toMatchObject({
      creates: { path: 'sync-config.yaml', text: file },
    });
    expect(acted(inside, 'Move the sync config to sync-config.yaml', { kind: 'service' })).toBe(beside);
  });

  test('is moved back into the service config', () => {
    const files = {
      exists: () => true,
      text: (path: string) => (path === 'sync-config.yaml' ? file : undefined),
    };
    const text = beside.replace('path', 'pa<|>th');
    expect(acted(text, 'Write the sync config into this file', { kind: 'service' }, files)).toBe(
      inside.replace('<|>', ''),
    );
  });

  test('is never moved to a file that exists', () => {
    const files = { exists: (path: string) => path === 'sync-config.yaml', text: () => undefined };
    const title = 'Move the sync config to sync-config-2.yaml';
    expect(acted(inside, title, { kind: 'service' }, files)).toBe(
      'sync_config:\n  path: sync-config-2.yaml\n',
    );
  });
});

test('Actions are also offered for a sync config inside a service config', () => {
  const text = `sync_config:
  content: |
    config:
      edition: 3
    streams:
      a:
        query: SELECT id FROM t WHERE x<|> = NULL
`;
  expect(acted(text, 'Write IS NULL', { kind: 'service' })).toBe(text.replace('x<|> = NULL', 'x IS NULL'));
  expect(titles(text, { kind: 'service' })).toContain('Write a list of queries');
});

describe('The migration to streams', () => {
  test('is offered for an older file', () => {
    const text = 'bucket_definitions:\n  a:\n    da<|>ta:\n      - SELECT id FROM t\n';
    expect(acted(text, 'Migrate Sync Rules to Sync Streams')).toContain(
      'streams:\n  a:\n    auto_subscribe: true\n',
    );
  });

  test('is refused with a reason if streams lack a function that the file uses', () => {
    const text = 'bucket_definitions:\n  a:\n    da<|>ta:\n      - SELECT id, json_valid(x) AS v FROM t\n';
    expect(offered(text).all.find(({ title }) => title.startsWith('Migrate'))).toMatchObject({
      edits: [],
      refusal: '`a` cannot be migrated. It uses json_valid(), which streams do not support.',
    });
  });

  test('is not offered for a file of edition 3', () => {
    expect(titles(stream('    query: SELECT <|>id FROM t\n'))).not.toContain(
      'Migrate Sync Rules to Sync Streams',
    );
  });
});
