import { describe, expect, test } from 'vitest';
import type { CompletionKind } from '../../../server/features/completion/item.ts';
import { completionsAt, labelsAt, taken } from '../../support/engine/completions.ts';

const schema = `
=== catalog
create table boats (id uuid not null, name text, owner_id text)
create table crews (boat_id uuid, user_id text)
create table audit.events (id uuid, at timestamptz)`;

/** Returns a config of edition 3 with a stream that has this query in a block. */
function stream(query: string, more = ''): string {
  return `config:\n  edition: 3\n${more}streams:\n  mine:\n    query: |\n      ${query}${schema}`;
}

function labelsOf(kinds: readonly CompletionKind[], drawing: string): readonly string[] {
  return completionsAt(drawing)
    .filter(({ kind }) => kinds.includes(kind))
    .map(({ label }) => label);
}

const columnsAt = (drawing: string) => labelsOf(['column', 'alias'], drawing);
const keywordsAt = (drawing: string) => labelsOf(['keyword'], drawing);

describe('Keywords', () => {
  test.each([
    ['at the start', '<|>', ['SELECT', 'SELECT * FROM']],
    ['after a column', 'SELECT id <|>', ['FROM', 'AS', 'IN', 'NOT IN', 'IS NULL', 'IS NOT NULL', 'BETWEEN']],
    ['after a table', 'SELECT * FROM boats <|>', ['WHERE', 'JOIN', 'INNER JOIN', 'AS']],
    [
      'after a joined table',
      'SELECT * FROM boats JOIN crews <|>',
      ['ON', 'WHERE', 'JOIN', 'INNER JOIN', 'AS'],
    ],
    ['after IS', 'SELECT * FROM boats WHERE id IS <|>', ['NULL', 'NOT NULL', 'TRUE', 'FALSE']],
    ['after IS NOT', 'SELECT * FROM boats WHERE id IS NOT <|>', ['NULL', 'TRUE', 'FALSE']],
    ['after INNER', 'SELECT * FROM boats INNER <|>', ['JOIN']],
    ['in CAST', 'SELECT CAST(id AS <|>', ['text', 'integer', 'real', 'numeric', 'blob']],
    ['in a comment', 'SELECT * FROM boats -- wh<|>', []],
    ['after the end', 'SELECT * FROM boats; <|>', []],
  ])('%s', (_, query, expected) => {
    expect(keywordsAt(stream(query))).toEqual(expected);
  });

  test('after a condition do not include keywords that only follow FROM', () => {
    const labels = keywordsAt(stream('SELECT * FROM boats WHERE id = 1 <|>'));
    expect(labels).toEqual(['AND', 'OR', 'IN', 'NOT IN', 'IS NULL', 'IS NOT NULL', 'BETWEEN']);
  });

  test('are in lower case if the query is', () => {
    expect(keywordsAt(stream('select * from boats <|>'))).toContain('where');
  });

  test('before edition 3 do not include joins and CASE', () => {
    const drawing = 'bucket_definitions:\n  a:\n    data:\n      - SELECT * FROM boats <|>\n';
    expect(keywordsAt(drawing)).toEqual(['WHERE', 'AS']);
  });
});

describe('Tables', () => {
  test('that no query reads yet come first, then CTEs and schemas', () => {
    const ctes = 'with:\n  my_boats: SELECT id FROM boats\n';
    expect(labelsAt(stream('SELECT * FROM <|>', ctes))).toEqual([
      'crews',
      'boats',
      'my_boats',
      'audit',
      'json_each',
    ]);
  });

  test('of a schema come after its dot', () => {
    expect(labelsAt(stream('SELECT * FROM audit.ev<|>'))).toEqual(['events']);
  });

  test('of other queries are offered if the source is unknown', () => {
    const drawing =
      'config: { edition: 3 }\nstreams:\n  a: { query: SELECT * FROM boats }\n  b:\n    query: SELECT * FROM b<|>\n';
    expect(labelsAt(drawing)).toEqual(['boats', 'json_each']);
  });

  test('get quotes if their names need them', () => {
    const drawing =
      'config: { edition: 3 }\nstreams:\n  a: { query: \'SELECT * FROM "Big Boats"\' }\n  b:\n    query: SELECT * FROM <|>\n';
    expect(taken(drawing, 'Big Boats')).toBe('    query: SELECT * FROM "Big Boats"');
  });
});

describe('Columns', () => {
  test('of one table have no prefix', () => {
    expect(columnsAt(stream('SELECT <|> FROM boats'))).toEqual(['id', 'name', 'owner_id', 'boats']);
  });

  test('of several tables have a prefix', () => {
    expect(columnsAt(stream('SELECT <|> FROM boats b, crews c'))).toEqual([
      'b',
      'c',
      'b.id',
      'b.name',
      'b.owner_id',
      'c.boat_id',
      'c.user_id',
    ]);
  });

  test('come after the dot of an alias', () => {
    expect(columnsAt(stream('SELECT b.<|> FROM boats AS b WHERE'))).toEqual(['id', 'name', 'owner_id']);
    expect(columnsAt(stream('SELECT b.* FROM boats b JOIN crews AS "c" ON c.bo<|>'))).toEqual([
      'boat_id',
      'user_id',
    ]);
  });

  test('in ON are those of the tables before it', () => {
    const labels = columnsAt(stream('SELECT * FROM boats b JOIN crews c ON <|> JOIN audit.events e ON 1'));
    expect(labels).toContain('c.boat_id');
    expect(labels.join()).not.toContain('e.');
  });

  test('of a CTE and of a subquery are its selected columns', () => {
    const ctes = 'with:\n  mine: SELECT id AS boat, name FROM boats\n';
    expect(columnsAt(stream('SELECT m.<|> FROM mine m', ctes))).toEqual(['boat', 'name']);
    expect(columnsAt(stream('SELECT q.<|> FROM (SELECT name AS n, owner_id FROM boats) AS q'))).toEqual([
      'n',
      'owner_id',
    ]);
    expect(columnsAt(stream('SELECT q.<|> FROM (SELECT * FROM boats) AS q(a, b)'))).toEqual(['a', 'b']);
  });

  test('in a subquery are its own, then those of the outer query', () => {
    const drawing = stream('SELECT * FROM boats WHERE id IN (SELECT boat_id FROM crews WHERE <|>)');
    expect(columnsAt(drawing)).toEqual([
      'boat_id',
      'user_id',
      'boats.id',
      'boats.owner_id',
      'boats.name',
      'crews',
      'boats',
    ]);
  });

  test('of other queries are offered if the table is unknown', () => {
    const drawing =
      'config: { edition: 3 }\nstreams:\n  a:\n    query: SELECT id, color FROM boats\n  b:\n    query: SELECT <|> FROM boats\n';
    expect(columnsAt(drawing)).toEqual(['id', 'color', 'boats']);
  });

  test('are the only completions after an opening quote', () => {
    const kinds = new Set(completionsAt(stream('SELECT "na<|> FROM boats')).map(({ kind }) => kind));
    expect([...kinds]).toEqual(['column']);
    const behind = completionsAt(stream('SELECT id FROM boats WHERE "na<|>')).map(({ kind }) => kind);
    expect(new Set(behind)).toEqual(new Set(['column']));
  });
});

describe('Values', () => {
  test('for a comparison begin with request values, then come columns, then functions', () => {
    const labels = labelsAt(stream('SELECT * FROM boats WHERE owner_id = <|>'));
    expect(labels.slice(0, 3)).toEqual([
      'auth.user_id()',
      "subscription.parameter('owner_id')",
      'auth.parameters()',
    ]);
    expect(labels.indexOf('name')).toBeLessThan(labels.indexOf('substring'));
    expect(labels).toContain('substring');
    expect(labels).not.toContain('json_valid');
    expect(labels).not.toContain('request.user_id()');
  });

  test('after IN begin with CTEs', () => {
    const ctes = 'with:\n  my_boats: SELECT id FROM boats\n';
    expect(labelsAt(stream('SELECT * FROM boats WHERE id IN <|>', ctes))[0]).toBe('my_boats');
    expect(keywordsAt(stream('SELECT * FROM boats WHERE id IN (<|>'))).toContain('SELECT');
  });

  test('after `auth.` are its members', () => {
    const labels = labelsAt(stream('SELECT * FROM boats WHERE owner_id = auth.<|>'));
    expect(labels).toEqual(['user_id()', 'parameters()', 'parameter()']);
  });

  test('with a function are inserted with parentheses unless these exist', () => {
    expect(taken(stream('SELECT upp<|> FROM boats'), 'upper')).toBe('      SELECT upper() FROM boats');
    expect(taken(stream('SELECT upp<|>(name) FROM boats'), 'upper')).toBe(
      '      SELECT upper(name) FROM boats',
    );
  });

  test('in bucket definitions are those that bucket definitions have', () => {
    const definition = (parameters: string, data: string) =>
      `bucket_definitions:\n  a:\n    parameters: ${parameters}\n    data:\n      - ${data}\n`;
    const parameters = definition('SELECT id FROM lists WHERE owner = <|>', 'SELECT * FROM t');
    expect(labelsAt(parameters)).toContain('request.user_id()');
    expect(labelsAt(parameters)).not.toContain('auth.user_id()');
    const data = definition('SELECT request.user_id() AS me', 'SELECT * FROM t WHERE owner = bucket.<|>');
    expect(labelsAt(data)).toEqual(['me']);
  });
});

describe('Names of parameters', () => {
  const other = `
=== other.yaml
config: { edition: 3 }
streams:
  other:
    queries:
      - SELECT * FROM boats WHERE name = auth.parameter('org')
      - SELECT * FROM boats WHERE name = auth.parameters() ->> 'team'
      - SELECT * FROM boats WHERE name = connection.parameter('region')
`;
  const query = (text: string) =>
    `config: { edition: 3 }\nstreams:\n  a:\n    query: |\n      ${text}${other}`;

  test.each([
    ['in a call', "SELECT * FROM boats WHERE name = auth.parameter('<|>')"],
    ['in a call that is not closed', "SELECT * FROM boats WHERE name = auth.parameter('<|>"],
    ['after an arrow', "SELECT * FROM boats WHERE name = auth.parameters() ->> '<|>'"],
  ])('are those that the workspace reads, %s', (_, text) => {
    expect(labelsAt(query(text))).toEqual(['org', 'team', 'sub']);
  });

  test('get quotes if there are none', () => {
    expect(taken(query('SELECT * FROM boats WHERE name = auth.parameters() ->> <|>'), 'org')).toContain(
      "auth.parameters() ->> 'org'",
    );
  });

  test('of the connection are not mixed with claims', () => {
    expect(labelsAt(query("SELECT * FROM boats WHERE name = connection.parameter('<|>"))).toEqual(['region']);
  });

  test('are not offered in other texts', () => {
    expect(labelsAt(query("SELECT * FROM boats WHERE name = '<|>'"))).toEqual([]);
  });
});

describe('In each style of scalar', () => {
  const styles: readonly (readonly [string, string])[] = [
    ['plain', 'SELECT * FROM boats WHERE owner_id = <|>'],
    ['plain, over two lines', 'SELECT * FROM boats\n      WHERE owner_id = <|>'],
    ['plain, with nothing after it', 'SELECT * FROM boats WHERE owner_id = au<|>'],
    ['single', "'SELECT * FROM boats WHERE owner_id = <|>'"],
    ['single, not closed', "'SELECT * FROM boats WHERE owner_id = <|>"],
    ['double', '"SELECT * FROM boats WHERE owner_id = <|>"'],
    ['double, with escapes', '"SELECT \\"id\\" FROM boats WHERE owner_id = <|>"'],
    ['literal', '|\n      SELECT * FROM boats\n      WHERE owner_id = <|>'],
    ['literal, on a line of its own', '|\n      SELECT * FROM boats WHERE owner_id =\n      <|>'],
    ['folded', '>-\n      SELECT * FROM boats\n      WHERE owner_id = <|>'],
  ];

  test.each(styles)('%s', (_, scalar) => {
    const drawing = `config:\n  edition: 3\nstreams:\n  mine:\n    query: ${scalar}\n  other: {}\n${schema}`;
    expect(columnsAt(drawing)).toEqual(['id', 'name', 'owner_id', 'boats']);
    expect(taken(drawing, 'auth.user_id()')).toContain('auth.user_id()');
  });

  test.each([
    ['single', "'SELECT * FROM boats WHERE owner_id = <|>'", "auth.parameter('''')'"],
    ['plain', 'SELECT * FROM boats WHERE owner_id = <|>', "auth.parameter('')"],
    ['double', '"SELECT * FROM boats WHERE owner_id = <|>"', "auth.parameter('')\""],
  ])('quotes are written for the style %s', (_, scalar, expected) => {
    const drawing = `config:\n  edition: 3\nstreams:\n  mine:\n    query: ${scalar}\n${schema}`;
    expect(taken(drawing, 'auth.parameter()')).toContain(expected);
  });
});

test('A typed blank opens the list only where a name must follow', () => {
  const typed = ' ';
  expect(labelsAt(stream('SELECT * FROM <|>'), { typed })).toContain('boats');
  expect(labelsAt(stream('SELECT * FROM boats <|>'), { typed })).toEqual([]);
  expect(labelsAt(stream('SELECT * FROM boats <|>'))).not.toEqual([]);
});
