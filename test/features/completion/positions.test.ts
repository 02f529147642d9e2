import { describe, expect, test } from 'vitest';
import { firstAt, labelsAt, taken } from '../../support/engine/completions.ts';

/** The completions that an editor shows first at a place are those that a user who types there wants. */
const schema = `
=== catalog
create table boats (id uuid, name text, owner_id uuid, org_id uuid, is_public boolean, status text, deleted_at timestamptz)
create table crews (id uuid, boat_id uuid, user_id uuid)
create table members (id uuid, org_id uuid, user_id uuid, role text)
create table categories (id uuid, label text)
create table category_items (id uuid, category_id uuid, sortOrder integer)
create table audit.events (id uuid, at timestamptz)`;

const styles: Readonly<Record<string, (query: string) => string>> = {
  'a block': (query) => `    query: |\n      ${query}\n`,
  'a folded block': (query) => `    query: >-\n      ${query}\n`,
  'a plain value': (query) => `    query: ${query}\n`,
  'a list': (query) => `    queries:\n      - ${query}\n`,
};

/** The file around a query. Another stream reads a claim and a role, and all streams have a CTE. */
const head = `config:
  edition: 3
with:
  my_orgs: SELECT org_id FROM members WHERE user_id = auth.user_id()
streams:
  other:
    query: SELECT * FROM members WHERE org_id = auth.parameter('org_id') AND role = 'admin'
  mine:
`;

function drawn(style: string, query: string): string {
  return head + (styles[style]?.(query) ?? '') + schema;
}

type Positions = readonly (readonly [drawing: string, first: readonly string[]])[];

const inQueries: Positions = [
  ['<|>', ['SELECT', 'SELECT * FROM', 'SELECT * FROM boats WHERE owner_id = auth.user_id()']],
  ['S<|>', ['SELECT', 'SELECT * FROM', 'SELECT * FROM boats WHERE owner_id = auth.user_id()']],
  ['sel<|>', ['SELECT', 'SELECT * FROM', 'SELECT * FROM boats WHERE owner_id = auth.user_id()']],
  ['SELECT <|>', ['*', '* FROM boats WHERE owner_id = auth.user_id()', 'id']],
  ['SELECT n<|>', ['name', 'NOT', 'NULL']],
  ['SELECT *<|>', ['FROM']],
  ['SELECT * <|>', ['FROM']],
  ['SELECT * F<|>', ['FROM']],
  ['SELECT id, <|>', ['name', 'boat_id', 'label']],
  ['SELECT id, name, <|>', ['owner_id', 'org_id', 'is_public']],
  ['SELECT id n<|>', ['NOT IN', 'IS NULL', 'IS NOT NULL']],
  ['SELECT <|> FROM boats', ['*', 'id', 'name']],
  ['SELECT id, <|> FROM boats', ['name', 'owner_id', 'org_id']],
  ['SELECT id, name, <|> FROM boats', ['owner_id', 'org_id', 'is_public']],
  ['SELECT id, <|>, org_id FROM boats', ['name', 'owner_id', 'is_public']],
  ['SELECT id AS <|> FROM boats', []],
  ['SELECT id <|> FROM boats', ['FROM', 'AS', 'IN']],
  ['SELECT b.<|> FROM boats b', ['*', 'id', 'name']],
  ['SELECT b.id, b.<|> FROM boats b', ['name', 'owner_id', 'org_id']],
  ['SELECT b.id, <|> FROM boats b', ['b.name', 'b', 'b.owner_id']],
  ['SELECT b.id, <|>', ['b', 'id', 'name']],
  ['SELECT b.id, b.<|>', ['name', 'owner_id', 'org_id']],
  ['SELECT boats.<|>', ['*', 'id', 'name']],
  ['SELECT upper(<|>) FROM boats', ['id', 'name', 'owner_id']],
  ['SELECT id, up<|> FROM boats', ['upper', 'unixepoch']],
  ['SELECT "<|> FROM category_items', ['id', 'org_id', 'user_id']],
  ['SELECT "sort<|>" FROM category_items', ['sortOrder']],
  ['SELECT s<|> FROM category_items', ['sortOrder', 'substring', 'st_x']],
  ['SELECT CASE <|> FROM boats', ['WHEN', 'id', 'name']],
  ['SELECT CASE WHEN is_public <|> FROM boats', ['THEN', 'IN', 'NOT IN']],
  ['SELECT CAST(id AS <|>) FROM boats', ['text', 'integer', 'real']],
  ['SELECT id::te<|> FROM boats', ['text', 'integer']],
  ['SELECT * FROM <|>', ['boats', 'crews', 'categories']],
  ['SELECT * FROM b<|>', ['boats', 'members']],
  ['SELECT * FROM "<|>"', ['boats', 'crews', 'categories']],
  ['SELECT * FROM audit.<|>', ['events']],
  ['SELECT label FROM <|>', ['categories', 'boats', 'crews']],
  ['SELECT boat_id, user_id FROM <|>', ['crews', 'members', 'boats']],
  ['SELECT c.* FROM <|>', ['crews', 'categories', 'category_items']],
  ['SELECT * FROM my<|>', ['my_orgs']],
  ['SELECT * FROM boats <|>', ['WHERE', 'JOIN', 'INNER JOIN']],
  ['SELECT * FROM boats b <|>', ['WHERE', 'JOIN', 'INNER JOIN']],
  ['SELECT * FROM boats W<|>', ['WHERE']],
  ['SELECT * FROM boats AS <|>', []],
  [
    'SELECT boats.* FROM boats JOIN crews ON crews.boat_id = boats.id JOIN <|>',
    ['my_orgs', 'categories', 'category_items'],
  ],
  ['SELECT id FROM boats WHERE id IN (SELECT c.<|> FROM crews AS c)', ['boat_id', 'id', 'user_id']],
  ['SELECT boats.* FROM boats JOIN <|>', ['crews ON crews.boat_id = boats.id', 'my_orgs', 'crews']],
  ['SELECT boats.* FROM boats J<|>', ['JOIN', 'INNER JOIN']],
  ['SELECT boats.* FROM boats INNER <|>', ['JOIN']],
  [
    'SELECT c.* FROM category_items c JOIN <|>',
    ['categories ON categories.id = c.category_id', 'my_orgs', 'boats'],
  ],
  ['SELECT boats.* FROM boats JOIN crews <|>', ['ON', 'WHERE', 'JOIN']],
  ['SELECT boats.* FROM boats JOIN crews ON <|>', ['crews.boat_id = boats.id', 'boats', 'crews']],
  ['SELECT b.* FROM boats b JOIN crews c ON <|>', ['c.boat_id = b.id', 'b', 'c']],
  ['SELECT b.* FROM boats b JOIN crews c ON c.<|>', ['id', 'boat_id', 'user_id']],
  [
    'SELECT b.* FROM boats b JOIN crews c ON c.boat_id = <|>',
    ['b.id', 'auth.user_id()', "auth.parameter('org_id')"],
  ],
  ['SELECT b.* FROM boats b JOIN crews c ON c.boat_id = b.<|>', ['id', 'name', 'owner_id']],
  ['SELECT b.* FROM boats b JOIN crews c ON c.boat_id = b.id <|>', ['AND', 'OR', 'WHERE']],
  [
    'SELECT b.* FROM boats b JOIN crews c ON c.boat_id = b.id WHERE <|>',
    ['b.owner_id = auth.user_id()', 'c.user_id = auth.user_id()', 'b'],
  ],
  ['SELECT b.* FROM boats b JOIN crews c ON c.boat_id = b.id WHERE c.<|>', ['user_id', 'id', 'boat_id']],
  ['SELECT * FROM boats WHERE <|>', ['owner_id = auth.user_id()', 'org_id', 'id']],
  ['SELECT * FROM boats WHERE o<|>', ['owner_id = auth.user_id()', 'org_id', 'owner_id']],
  ['SELECT * FROM boats WHERE is_public AND <|>', ['owner_id = auth.user_id()', 'org_id', 'id']],
  ['SELECT * FROM boats WHERE NOT <|>', ['org_id', 'id', 'owner_id']],
  ['SELECT * FROM boats WHERE (<|>)', ['owner_id = auth.user_id()', 'org_id', 'id']],
  ['SELECT * FROM categories WHERE <|>', ['id', 'label', 'auth.user_id()']],
  ['SELECT * FROM boats WHERE owner_id <|>', ['IN', 'NOT IN', 'IS NULL']],
  ['SELECT * FROM boats WHERE deleted_at <|>', ['IS NULL', 'IS NOT NULL', 'IN']],
  ['SELECT * FROM boats WHERE is_public <|>', ['AND', 'OR', 'IN']],
  ['SELECT * FROM boats WHERE owner_id = auth.user_id() <|>', ['AND', 'OR', 'IN']],
  ['SELECT * FROM boats WHERE owner_id = auth.user_id() A<|>', ['AND']],
  ['SELECT * FROM boats WHERE owner_id IS <|>', ['NULL', 'NOT NULL', 'TRUE']],
  ['SELECT * FROM boats WHERE owner_id IS NOT <|>', ['NULL', 'TRUE', 'FALSE']],
  ['SELECT * FROM boats WHERE owner_id NOT <|>', ['IN', 'BETWEEN', 'org_id']],
  [
    'SELECT * FROM boats WHERE owner_id = <|>',
    ['auth.user_id()', "auth.parameter('org_id')", "subscription.parameter('owner_id')"],
  ],
  [
    'SELECT * FROM boats WHERE owner_id = au<|>',
    ['auth.user_id()', "auth.parameter('org_id')", 'auth.parameters()'],
  ],
  ['SELECT * FROM boats WHERE owner_id = auth.<|>', ['user_id()', 'parameters()', 'parameter()']],
  ['SELECT * FROM boats WHERE owner_id = auth.us<|>', ['user_id()']],
  [
    'SELECT * FROM boats WHERE org_id = <|>',
    ["auth.parameter('org_id')", 'auth.user_id()', "subscription.parameter('org_id')"],
  ],
  ["SELECT * FROM boats WHERE org_id = auth.parameter('<|>')", ['org_id', 'sub']],
  ['SELECT * FROM boats WHERE org_id = auth.parameter(<|>)', ['org_id', 'sub']],
  ['SELECT * FROM boats WHERE id = subscription.<|>', ['parameters()', 'parameter()']],
  ["SELECT * FROM boats WHERE org_id = subscription.parameter('<|>')", ['org_id']],
  [
    'SELECT * FROM boats WHERE name = <|>',
    ['auth.user_id()', "auth.parameter('org_id')", "subscription.parameter('name')"],
  ],
  ['SELECT * FROM boats WHERE is_public = <|>', ['TRUE', 'FALSE', 'auth.user_id()']],
  ['SELECT * FROM boats WHERE is_public = t<|>', ['TRUE', 'typeof', 'auth.user_id()']],
  ['SELECT * FROM members WHERE role = <|>', ["'admin'", 'auth.user_id()', 'auth.parameters()']],
  ["SELECT * FROM members WHERE role = '<|>'", ['admin']],
  [
    'SELECT * FROM boats WHERE owner_id::text = <|>',
    ['auth.user_id()', "auth.parameter('org_id')", "subscription.parameter('owner_id')"],
  ],
  ["SELECT * FROM boats WHERE upper(<|>) = 'A'", ['id', 'name', 'owner_id']],
  ['SELECT * FROM boats WHERE org_id <|>', ['IN', 'NOT IN', 'IS NULL']],
  ['SELECT * FROM boats WHERE org_id IN <|>', ['my_orgs', 'id', 'owner_id']],
  ['SELECT * FROM boats WHERE org_id IN my<|>', ['my_orgs']],
  [
    'SELECT * FROM boats WHERE id IN (<|>)',
    ['SELECT boat_id FROM crews WHERE user_id = auth.user_id()', 'my_orgs', 'SELECT'],
  ],
  [
    'SELECT * FROM boats WHERE id IN (<|>',
    ['SELECT boat_id FROM crews WHERE user_id = auth.user_id()', 'my_orgs', 'SELECT'],
  ],
  [
    'SELECT * FROM boats WHERE org_id IN (<|>)',
    ['SELECT org_id FROM members WHERE user_id = auth.user_id()', 'my_orgs', 'SELECT'],
  ],
  [
    'SELECT * FROM boats WHERE id IN (S<|>)',
    ['SELECT boat_id FROM crews WHERE user_id = auth.user_id()', 'SELECT', 'subscription.parameters()'],
  ],
  [
    'SELECT * FROM boats WHERE id IN (SELECT <|>)',
    ['boat_id FROM crews WHERE user_id = auth.user_id()', 'id', 'org_id'],
  ],
  ['SELECT * FROM boats WHERE id IN (SELECT <|> FROM crews)', ['boat_id', 'id', 'user_id']],
  ['SELECT * FROM boats WHERE id IN (SELECT boat_id <|>)', ['FROM', 'AS', 'IN']],
  ['SELECT * FROM boats WHERE id IN (SELECT boat_id FROM <|>)', ['my_orgs', 'crews', 'members']],
  [
    'SELECT * FROM category_items WHERE category_id IN (SELECT id FROM <|>)',
    ['my_orgs', 'categories', 'members'],
  ],
  ['SELECT * FROM boats WHERE id IN (SELECT boat_id FROM crews <|>)', ['WHERE', 'JOIN', 'INNER JOIN']],
  [
    'SELECT * FROM boats WHERE id IN (SELECT boat_id FROM crews WHERE <|>)',
    ['user_id = auth.user_id()', 'id', 'user_id'],
  ],
  [
    'SELECT * FROM boats WHERE id IN (SELECT boat_id FROM crews WHERE user_id = <|>)',
    ['auth.user_id()', "auth.parameter('org_id')", "subscription.parameter('user_id')"],
  ],
  [
    'SELECT * FROM boats WHERE id IN (SELECT boat_id FROM crews WHERE user_id = auth.user_id() <|>)',
    ['AND', 'OR', 'IN'],
  ],
  [
    'SELECT * FROM boats WHERE id IN (SELECT boat_id FROM crews WHERE user_id = auth.user_id()) <|>',
    ['AND', 'OR', 'IN'],
  ],
  ['SELECT * FROM boats WHERE status BETWEEN <|>', ['org_id', 'id', 'owner_id']],
  ["SELECT * FROM boats WHERE auth.parameter('orgs') -> '<|>'", []],
  ['SELECT * FROM boats WHERE auth.<|>', ['user_id()', 'parameters()', 'parameter()']],
  ['SELECT * FROM boats; <|>', []],
];

const inFiles: Positions = [
  ['<|>', ['sync config', 'config', 'streams']],
  ['c<|>', ['config', 'sync config', 'bucket_definitions']],
  ['st<|>', ['streams']],
  ['config:\n  <|>', ['edition', 'storage_version', 'timestamps_iso8601']],
  ['config:\n  e<|>', ['edition', 'fixed_json_extract', 'storage_version']],
  ['config:\n  edition: <|>', ['3', '2', '1']],
  ['config:\n  edition: 3\n<|>', ['streams', 'with', 'event_definitions']],
  ['config:\n  edition: 3\ns<|>', ['streams', 'event_definitions']],
  ['config:\n  edition: 3\nstreams:\n  <|>', ['stream', 'stream for everyone', 'stream with a parameter']],
  ['config:\n  edition: 3\nstreams:\n  a:\n    <|>', ['query', 'queries', 'with']],
  [
    'config:\n  edition: 3\nstreams:\n  a:\n    q<|>',
    ['query', 'queries', 'accept_potentially_dangerous_queries'],
  ],
  [
    'config:\n  edition: 3\nstreams:\n  a:\n    query: SELECT * FROM boats\n    <|>',
    ['with', 'auto_subscribe', 'priority'],
  ],
  ['config:\n  edition: 3\nstreams:\n  a:\n    auto_subscribe: <|>', ['true', 'false']],
  ['config:\n  edition: 3\nstreams:\n  a:\n    priority: <|>', ['0', '1', '2']],
  ['config:\n  edition: 3\nstreams:\n  a:\n    queries:\n      <|>', ['- ']],
  [
    'config:\n  edition: 3\nstreams:\n  a:\n    queries:\n      - <|>',
    ['SELECT', 'SELECT * FROM', 'SELECT * FROM boats WHERE owner_id = auth.user_id()'],
  ],
  ['config:\n  edition: 3\nstreams:\n  a:\n    with:\n      <|>', ['CTE']],
  ['config:\n  edition: 3\nstreams:\n  a:\n    with:\n      mine: <|>', ['SELECT']],
  ['config:\n  edition: 3\nwith:\n  mine: SELECT <|>', ['id', 'org_id', 'user_id']],
  ['config:\n  edition: 3\nwith:\n  mine: SELECT b.<|> FROM boats AS b', ['id', 'name', 'owner_id']],
  ['config:\n  edition: 3\nwith:\n  <|>', ['CTE']],
  ['bucket_definitions:\n  <|>', ['bucket definition']],
  ['bucket_definitions:\n  a:\n    <|>', ['data', 'parameters', 'priority']],
  ['bucket_definitions:\n  a:\n    parameters: <|>', ['SELECT', 'SELECT request.user_id() AS user_id']],
  ['bucket_definitions:\n  a:\n    parameters: SELECT <|>', ['request.user_id()', 'id', 'org_id']],
  [
    'bucket_definitions:\n  a:\n    parameters: SELECT id AS boat_id FROM boats WHERE <|>',
    ['owner_id = request.user_id()', 'id', 'owner_id'],
  ],
  [
    'bucket_definitions:\n  a:\n    parameters: SELECT id AS boat_id FROM boats WHERE owner_id = <|>',
    ['request.user_id()', 'request.jwt()', 'request.parameters()'],
  ],
  [
    'bucket_definitions:\n  a:\n    parameters: SELECT request.user_id() AS user_id\n    data:\n      - <|>',
    ['SELECT', 'SELECT * FROM', 'SELECT * FROM crews WHERE user_id = bucket.user_id'],
  ],
  [
    'bucket_definitions:\n  a:\n    parameters: SELECT request.user_id() AS owner_id\n    data:\n      - SELECT * FROM boats WHERE <|>',
    ['owner_id = bucket.owner_id', 'id', 'owner_id'],
  ],
  [
    'bucket_definitions:\n  a:\n    parameters: SELECT id AS boat_id FROM boats\n    data:\n      - SELECT * FROM boats WHERE <|>',
    ['id = bucket.boat_id', 'id', 'owner_id'],
  ],
  [
    'bucket_definitions:\n  a:\n    parameters: SELECT id AS boat_id FROM boats\n    data:\n      - SELECT * FROM crews WHERE boat_id = <|>',
    ['bucket.boat_id', 'bucket', 'id'],
  ],
  [
    'bucket_definitions:\n  a:\n    parameters: SELECT id AS boat_id FROM boats\n    data:\n      - SELECT * FROM crews WHERE boat_id = bucket.<|>',
    ['boat_id'],
  ],
  ['config: { <|> }', ['edition', 'storage_version', 'timestamps_iso8601']],
  ['config: { edition: <|> }', ['3', '2', '1']],
  ['config: { edition: 3 }\nstreams: { <|> }', ['stream', 'stream for everyone']],
  ['config: { edition: 3 }\nstreams: { a: { <|> } }', ['query', 'queries', 'with']],
  [
    'config: { edition: 3 }\nstreams: { a: { q<|> } }',
    ['query', 'queries', 'accept_potentially_dangerous_queries'],
  ],
  [
    'config: { edition: 3 }\nstreams: { a: { query: <|> } }',
    ['SELECT', 'SELECT * FROM', 'SELECT * FROM boats WHERE owner_id = auth.user_id()'],
  ],
  [
    'config: { edition: 3 }\nstreams: { a: { query: "<|>" } }',
    ['SELECT', 'SELECT * FROM', 'SELECT * FROM boats WHERE owner_id = auth.user_id()'],
  ],
  ['config: { edition: 3 }\nstreams: { a: { query: SELECT * FROM <|> } }', ['boats', 'crews', 'members']],
  [
    'config: { edition: 3 }\nstreams: { a: { query: "SELECT * FROM boats WHERE <|>" } }',
    ['owner_id = auth.user_id()', 'id', 'owner_id'],
  ],
  [
    'config: { edition: 3 }\nstreams: { a: { query: "SELECT * FROM boats WHERE owner_id = <|>", auto_subscribe: true } }',
    ['auth.user_id()', "subscription.parameter('owner_id')", 'auth.parameters()'],
  ],
  [
    'config: { edition: 3 }\nstreams: { a: { query: SELECT * FROM boats, <|> } }',
    ['with', 'auto_subscribe', 'priority'],
  ],
  [
    'config: { edition: 3 }\nstreams: { a: { query: SELECT * FROM boats, auto_subscribe: <|> } }',
    ['true', 'false'],
  ],
  [
    'config: { edition: 3 }\nstreams: { a: { queries: [<|>] } }',
    ['SELECT', 'SELECT * FROM', 'SELECT * FROM boats WHERE owner_id = auth.user_id()'],
  ],
  [
    'config: { edition: 3 }\nstreams: { a: { queries: ["SELECT * FROM boats", "SELECT * FROM <|>"] } }',
    ['crews', 'members', 'categories'],
  ],
  [
    'config: { edition: 3 }\nstreams:\n  a: { query: SELECT id FROM boats WHERE org_id IN (<|>) }',
    ['SELECT org_id FROM members WHERE user_id = auth.user_id()', 'SELECT', 'auth.user_id()'],
  ],
  ['config: { edition: 3 }\nstreams: { a: { query: SELECT * FROM <|>', ['boats', 'crews', 'members']],
  ['config: { edition: 3 }\nwith: { mine: SELECT id FROM <|> }', ['boats', 'crews', 'members']],
  [
    "config:\n  edition: 3\nstreams:\n  a:\n    query: '<|>'",
    ['SELECT', 'SELECT * FROM', 'SELECT * FROM boats WHERE owner_id = auth.user_id()'],
  ],
  ["config:\n  edition: 3\nstreams:\n  a:\n    query: 'SELECT * FROM <|>'", ['boats', 'crews', 'members']],
  [
    "config:\n  edition: 3\nstreams:\n  a:\n    query: 'SELECT * FROM boats WHERE org_id = <|>'",
    ['auth.user_id()', "subscription.parameter('org_id')", 'auth.parameters()'],
  ],
  [
    "config:\n  edition: 3\nstreams:\n  a:\n    query: 'SELECT * FROM boats WHERE <|>",
    ['owner_id = auth.user_id()', 'id', 'owner_id'],
  ],
  ['config:\n  edition: 3\nstreams:\n  a:\n    query: "SELECT <|> FROM boats"', ['*', 'id', 'name']],
  [
    'config:\n  edition: 3\nstreams:\n  a:\n    query: "SELECT * FROM boats WHERE owner_id = <|>',
    ['auth.user_id()', "subscription.parameter('owner_id')", 'auth.parameters()'],
  ],
  [
    'config:\n  edition: 3\nstreams:\n  a:\n    query: "SELECT *\n      FROM boats\n      WHERE <|>"',
    ['owner_id = auth.user_id()', 'id', 'owner_id'],
  ],
  [
    'config:\n  edition: 3\nstreams:\n  a:\n    query: "SELECT \\"<|>\\" FROM category_items"',
    ['id', 'category_id', 'sortOrder'],
  ],
  [
    "config:\n  edition: 3\nstreams:\n  'a':\n    'query': 'SELECT * FROM <|>'",
    ['boats', 'crews', 'members'],
  ],
  [
    'config:\n  edition: 3\nstreams:\n  a:\n    query: SELECT * FROM boats WHERE (id = 1\n  b:\n    query: SELECT * FROM <|>',
    ['crews', 'members', 'categories'],
  ],
  ['config:\n  edition: 3\nstreams:\n  a\n    query: SELECT * FROM <|>', ['boats', 'crews', 'members']],
  [
    'config:\n  edition: 3\nstreams:\n  a:\n    query: SELECT * FROM <|>\n   b:\n    query: SELECT 1',
    ['boats', 'crews', 'members'],
  ],
  ['config\n  edition: 3\nstreams:\n  a:\n    query: SELECT * FROM <|>', ['boats', 'crews', 'members']],
  [
    'config:\n  edition: 3\nstreams:\n  a:\n    query SELECT * FROM boats\n    <|>',
    ['query', 'queries', 'with'],
  ],
  ['config:\n  edition: 3\nstreams:\n  a: {\n    query: SELECT * FROM <|>', ['boats', 'crews', 'members']],
  [
    'config:\n  edition: 3\nstreams:\n  a: [\n  b:\n    query: SELECT * FROM <|>',
    ['boats', 'crews', 'members'],
  ],
  ['streams:\n  a:\n    query: SELECT * FROM <|>', ['boats', 'crews', 'members']],
  [
    'config:\n  edition: 3\nstreams:\n  a:\n    query: |\n      SELECT * FROM boats\n      WHERE\n      <|>',
    ['owner_id = auth.user_id()', 'id', 'owner_id'],
  ],
  [
    'config:\n  edition: 3\nstreams:\n  a:\n    query: |\n      SELECT id,\n        <|>\n      FROM boats',
    ['name', 'owner_id', 'org_id'],
  ],
  [
    'config:\n  edition: 3\nstreams:\n  a:\n    query: SELECT * FRM boats WHERE <|>',
    ['owner_id = auth.user_id()', 'id', 'owner_id'],
  ],
  [
    'config:\n  edition: 3\nstreams:\n  a:\n    query: SELECT id,, FROM boats WHERE <|>',
    ['owner_id = auth.user_id()', 'id', 'owner_id'],
  ],
  [
    'config:\n  edition: 3\nstreams:\n  a:\n    query: SELECT * FROM boats WHERE owner_id = AND <|>',
    ['owner_id = auth.user_id()', 'id', 'org_id'],
  ],
  [
    'config:\n  edition: 3\nstreams:\n  a:\n    query: SELECT id FROM boats WHERE owner_id == <|>',
    ['auth.user_id()', "subscription.parameter('owner_id')", 'auth.parameters()'],
  ],
  [
    'config:\n  edition: 3\r\nstreams:\r\n  a:\r\n    query: SELECT * FROM <|>\r\n',
    ['boats', 'crews', 'members'],
  ],
  ['strea<|>\n  a:\n    query: SELECT * FROM boats\n', ['streams']],
  [
    'config:\n  edition: 3\nstreams:\n  a:\n    queries:\n      - <|> * FROM boats\n',
    ['SELECT', 'SELECT * FROM', 'SELECT * FROM boats WHERE owner_id = auth.user_id()'],
  ],
  ['%\nconfig:\n  edition: 3\nstreams:\n  a:\n    query: SELECT * FROM <|>', ['boats', 'crews', 'members']],
  [
    'config:\n  edition: 3\nstreams:\n  a:\n    query: SELECT * FROM boats -- headwater-ignore <|>',
    ['reads-rows-of-others', 'alpha-streams', 'unstable-storage-version'],
  ],
  [
    '# headwater-ignore <|>\nconfig:\n  edition: 3\n',
    ['alpha-streams', 'unstable-storage-version', 'identifier-lowercased'],
  ],
  ['config:\n  edition: 3\nevent_definitions:\n  <|>', ['event']],
  ['config:\n  edition: 3\nevent_definitions:\n  a:\n    <|>', ['payloads']],
  [
    'config:\n  edition: 3\nevent_definitions:\n  a:\n    payloads:\n      - SELECT * FROM <|>',
    ['boats', 'crews', 'members'],
  ],
];

describe.each(Object.keys(styles))('In %s', (style) => {
  test.each(inQueries)('%s', (query, first) => {
    expect(firstAt(drawn(style, query), 3)).toEqual(first);
  });
});

describe('In files that are incomplete, in braces, in quotes or broken', () => {
  test.each(inFiles)('%j', (file, first) => {
    expect(firstAt(file + schema, 3)).toEqual(first);
  });
});

test('There are at least 150 different positions', () => {
  const drawings = [
    ...inQueries.map(([query]) => `in a query: ${query}`),
    ...inFiles.map(([file]) => `in a file: ${file}`),
  ];
  expect(drawings.length).toBeGreaterThanOrEqual(150);
  expect(new Set(drawings).size).toBe(drawings.length);
});

test('Request functions are not offered in the SELECT list of a stream, because a service refuses them', () => {
  for (const query of ['SELECT <|> FROM boats', 'SELECT id, <|>', 'SELECT upper(<|>) FROM boats'])
    expect(labelsAt(drawn('a block', query)).filter((label) => label.startsWith('auth.'))).toEqual([]);
});

test('A completion replaces the whole name at the cursor', () => {
  const call = drawn('a block', 'SELECT * FROM boats WHERE owner_id = au<|>.user_id()');
  expect(taken(call, 'auth.user_id()').trim()).toBe('SELECT * FROM boats WHERE owner_id = auth.user_id()');
  const column = drawn('a block', 'SELECT b.id FROM boats b JOIN crews c ON c<|>.boat_id = b.id');
  expect(taken(column, 'c').trim()).toBe('SELECT b.id FROM boats b JOIN crews c ON c.boat_id = b.id');
});

test('A completion in the middle of a value of several lines does not repeat the text that follows', () => {
  for (const open of ['>-\n', '|\n', '\n']) {
    const text = `config:\n  edition: 3\nstreams:\n  mine:\n    query: ${open}      SELECT * FROM <|>\n      WHERE owner_id = auth.user_id()\n${schema}`;
    expect([open, labelsAt(text).slice(0, 2)]).toEqual([open, ['boats', 'crews']]);
  }
});
