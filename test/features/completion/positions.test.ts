import { describe, expect, test } from 'vitest';
import { labelsAt, taken } from '../../support/engine/completions.ts';

/** What stands first at a place: what somebody who types there wants. */
const schema = `
=== catalog
create table boats (id uuid, name text, owner_id uuid, org_id uuid, is_public boolean, status text)
create table crews (id uuid, boat_id uuid, user_id uuid)
create table members (id uuid, org_id uuid, user_id uuid)
create table categories (id uuid, label text)
create table category_items (id uuid, category_id uuid)`;

const styles: Readonly<Record<string, (query: string) => string>> = {
  'a block': (query) => `    query: |\n      ${query}\n`,
  'a folded block': (query) => `    query: >-\n      ${query}\n`,
  'a plain value': (query) => `    query: ${query}\n`,
  'a list': (query) => `    queries:\n      - ${query}\n`,
};

function drawn(style: string, query: string): string {
  const head =
    "config:\n  edition: 3\nstreams:\n  other:\n    query: SELECT * FROM members WHERE org_id = auth.parameter('org_id')\n  mine:\n";
  return head + (styles[style]?.(query) ?? '') + schema;
}

const positions: readonly (readonly [query: string, first: readonly string[]])[] = [
  // A query is begun.
  ['<|>', ['SELECT', 'SELECT * FROM', 'SELECT * FROM boats WHERE owner_id = auth.user_id()']],
  ['SELECT <|>', ['*', '* FROM boats WHERE owner_id = auth.user_id()']],
  ['SELECT id, <|>', ['*', 'id']],
  ['SELECT <|> FROM boats', ['*', 'id', 'name']],
  ['SELECT id, <|> FROM boats', ['*', 'id', 'name']],
  ['SELECT b.<|> FROM boats b', ['id', 'name', 'owner_id']],
  ['SELECT upper(<|>) FROM boats', ['id', 'name', 'owner_id']],
  // Tables.
  ['SELECT * FROM <|>', ['boats', 'crews', 'members']],
  ['SELECT * FROM b<|>', ['boats', 'crews', 'members']],
  ['SELECT boats.* FROM boats JOIN <|>', ['crews ON crews.boat_id = boats.id']],
  ['SELECT c.* FROM category_items c JOIN <|>', ['categories ON categories.id = c.category_id']],
  // Conditions.
  ['SELECT * FROM boats WHERE <|>', ['owner_id = auth.user_id()', 'id', 'name']],
  ['SELECT * FROM boats WHERE is_public AND <|>', ['owner_id = auth.user_id()', 'id', 'name']],
  ['SELECT * FROM categories WHERE <|>', ['id', 'label', 'auth.user_id()']],
  ['SELECT * FROM boats WHERE owner_id = <|>', ['auth.user_id()']],
  ['SELECT * FROM boats WHERE owner_id = au<|>', ['auth.user_id()']],
  ['SELECT * FROM boats WHERE owner_id = auth.<|>', ['user_id()', 'parameters()', 'parameter()']],
  ['SELECT * FROM boats WHERE org_id = <|>', ["auth.parameter('org_id')", 'auth.user_id()']],
  ["SELECT * FROM boats WHERE org_id = auth.parameter('<|>')", ['org_id', 'sub']],
  ['SELECT * FROM boats WHERE is_public = <|>', ['TRUE', 'FALSE']],
  ['SELECT * FROM boats b WHERE b.is_public = <|>', ['TRUE', 'FALSE']],
  ['SELECT * FROM boats WHERE is_public <|>', ['AND', 'OR', 'IN']],
  ['SELECT * FROM boats WHERE owner_id IS <|>', ['NULL', 'NOT NULL', 'TRUE']],
  // Memberships.
  [
    'SELECT * FROM boats WHERE id IN (<|>)',
    ['SELECT boat_id FROM crews WHERE user_id = auth.user_id()', 'SELECT'],
  ],
  [
    'SELECT * FROM boats WHERE id IN (<|>',
    ['SELECT boat_id FROM crews WHERE user_id = auth.user_id()', 'SELECT'],
  ],
  [
    'SELECT * FROM boats WHERE org_id IN (<|>)',
    ['SELECT org_id FROM members WHERE user_id = auth.user_id()', 'SELECT'],
  ],
  ['SELECT * FROM boats WHERE id IN (SELECT <|>)', ['boat_id FROM crews WHERE user_id = auth.user_id()']],
  ['SELECT * FROM boats WHERE id IN (SELECT <|> FROM crews)', ['id', 'boat_id', 'user_id']],
  ['SELECT * FROM boats WHERE id IN (SELECT boat_id FROM <|>)', ['boats', 'crews', 'members']],
  [
    'SELECT * FROM boats WHERE id IN (SELECT boat_id FROM crews WHERE <|>)',
    ['user_id = auth.user_id()', 'crews.id'],
  ],
  // Joins.
  ['SELECT boats.* FROM boats JOIN crews ON <|>', ['crews.boat_id = boats.id']],
  ['SELECT b.* FROM boats b JOIN crews c ON <|>', ['c.boat_id = b.id']],
  ['SELECT c.* FROM crews c JOIN boats b ON <|>', ['b.id = c.boat_id']],
];

describe.each(Object.keys(styles))('In %s', (style) => {
  test.each(positions)('%s', (query, first) => {
    // Nothing is begun in a plain value that is not there, and one before a colon would be a key.
    expect(labelsAt(drawn(style, query)).slice(0, first.length)).toEqual(first);
  });
});

test('What is selected in a stream is never of the request, which a service refuses', () => {
  for (const query of ['SELECT <|> FROM boats', 'SELECT id, <|>', 'SELECT upper(<|>) FROM boats'])
    expect(labelsAt(drawn('a block', query)).filter((label) => label.startsWith('auth.'))).toEqual([]);
});

test('What is taken replaces all of the name that it is', () => {
  const call = drawn('a block', 'SELECT * FROM boats WHERE owner_id = au<|>.user_id()');
  expect(taken(call, 'auth.user_id()').trim()).toBe('SELECT * FROM boats WHERE owner_id = auth.user_id()');
  const column = drawn('a block', 'SELECT b.id FROM boats b JOIN crews c ON c<|>.boat_id = b.id');
  expect(taken(column, 'c').trim()).toBe('SELECT b.id FROM boats b JOIN crews c ON c.boat_id = b.id');
});

test('A word of the middle of a value of several lines is not offered what follows it already', () => {
  for (const open of ['>-\n', '|\n', '\n']) {
    const text = `config:\n  edition: 3\nstreams:\n  mine:\n    query: ${open}      SELECT * FROM <|>\n      WHERE owner_id = auth.user_id()\n${schema}`;
    expect([open, labelsAt(text).slice(0, 2)]).toEqual([open, ['boats', 'crews']]);
  }
});
