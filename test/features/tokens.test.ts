import { describe, expect, test } from 'vitest';
import { analyze } from '../../server/engine/index.ts';
import { selection } from '../../server/features/selection.ts';
import { outline } from '../../server/features/symbols.ts';
import { type SemanticToken, tokenGroups, tokens } from '../../server/features/tokens.ts';
import { openDrawn } from '../support/engine/drawn.ts';
import { sizeOf } from '../support/house/share.ts';

const whole = { start: 0, end: Number.POSITIVE_INFINITY };

/** Draws each token on a line: its text, type and modifier. */
function drawn(drawing: string): string[] {
  const { analysis, text } = openDrawn(drawing);
  return tokens(analysis, whole).map((token) => drawToken(text, token));
}

function drawToken(text: string, { span, type, modifier }: SemanticToken): string {
  return [text.slice(span.start, span.end), type, modifier].filter((part) => part !== undefined).join(' ');
}

const head = 'config: { edition: 3 }\nstreams:\n  a:\n';

describe('Colours', () => {
  test('distinguish tables, aliases, columns, functions and values', () => {
    expect(
      drawn(
        `${head}    query: SELECT t.id, upper(t.name) AS title FROM app.todos AS t WHERE t.n >= 5 AND t.s = 'x'\n`,
      ),
    ).toMatchInlineSnapshot(`
      [
        "SELECT keyword",
        "t variable",
        "id property",
        "upper function defaultLibrary",
        "t variable",
        "name property",
        "AS keyword",
        "title property declaration",
        "FROM keyword",
        "app namespace",
        "todos class",
        "AS keyword",
        "t variable declaration",
        "WHERE keyword",
        "t variable",
        "n property",
        ">= operator",
        "5 number",
        "AND keyword",
        "t variable",
        "s property",
        "= operator",
        "'x' string",
      ]
    `);
  });

  test('show request functions and their parameters', () => {
    expect(
      drawn(
        `${head}    query: SELECT * FROM a WHERE o = auth.user_id() AND l = subscription.parameter('list')\n`,
      ),
    ).toMatchInlineSnapshot(`
      [
        "SELECT keyword",
        "* operator",
        "FROM keyword",
        "a class",
        "WHERE keyword",
        "o property",
        "= operator",
        "auth namespace",
        "user_id function defaultLibrary",
        "AND keyword",
        "l property",
        "= operator",
        "subscription namespace",
        "parameter function defaultLibrary",
        "'list' parameter",
      ]
    `);
  });

  test('show CTEs, table functions, casts and CASE', () => {
    expect(
      drawn(
        `${head}    with:\n      m: SELECT id AS i FROM l\n    query: SELECT CAST(a.x AS text) AS y, CASE WHEN a.z IS NULL THEN 1 END AS c FROM a, json_each(a.list) AS e WHERE e.value IN m\n`,
      ),
    ).toMatchInlineSnapshot(`
      [
        "SELECT keyword",
        "id property",
        "AS keyword",
        "i property declaration",
        "FROM keyword",
        "l class",
        "SELECT keyword",
        "CAST keyword",
        "a class",
        "x property",
        "AS keyword",
        "text type",
        "AS keyword",
        "y property declaration",
        "CASE keyword",
        "WHEN keyword",
        "a class",
        "z property",
        "IS keyword",
        "NULL keyword",
        "THEN keyword",
        "1 number",
        "END keyword",
        "AS keyword",
        "c property declaration",
        "FROM keyword",
        "a class",
        "json_each function defaultLibrary",
        "a class",
        "list property",
        "AS keyword",
        "e variable declaration",
        "WHERE keyword",
        "e variable",
        "IN keyword",
        "m interface",
      ]
    `);
  });

  test('cover comments and strings of a block line by line', () => {
    expect(
      drawn(
        `${head}    query: |\n      SELECT * -- all\n      /* of\n         it */ FROM a\n      WHERE b = 'one\n      two'\n`,
      ),
    ).toMatchInlineSnapshot(`
      [
        "SELECT keyword",
        "* operator",
        "-- all comment",
        "/* of comment",
        "it */ comment",
        "FROM keyword",
        "a class",
        "WHERE keyword",
        "b property",
        "= operator",
        "'one string",
        "two' string",
      ]
    `);
  });

  test('are at the right places in each style of scalar', () => {
    const words = (scalar: string) =>
      drawn(`${head}    query: ${scalar}\n`).map((line) => line.split(' ')[0]);
    const expected = ['SELECT', '*', 'FROM', 'a', 'WHERE', 'b', '=', "'x'"];
    expect(words("SELECT * FROM a WHERE b = 'x'")).toEqual(expected);
    expect(words(`"SELECT * FROM a\n      WHERE b = 'x'"`)).toEqual(expected);
    expect(words(`"SELECT * FROM a WHERE b \\x3d 'x'"`)).toEqual(expected.with(6, '\\x3d'));
    expect(words("'SELECT * FROM a WHERE b = ''x'''")).toEqual(expected.with(7, "''x''"));
    expect(words(">-\n      SELECT * FROM a\n      WHERE b = 'x'")).toEqual(expected);
    expect(words("|2\n      SELECT * FROM a\n      WHERE b = 'x'")).toEqual(expected);
  });

  test('exist for the words of an incomplete query', () => {
    expect(drawn(`${head}    query: SELECT a.x FROM a WHERE a.\n`)).toContain('WHERE keyword');
  });
});

test('Only the tokens of the requested part of the file are returned', () => {
  const { analysis, text } = openDrawn(`${head}    query: SELECT * FROM a WHERE b = 1\n`);
  const start = text.indexOf('FROM');
  const found = tokens(analysis, { start, end: start + 6 });
  expect(found.map((token) => drawToken(text, token))).toEqual(['FROM keyword', 'a class']);
});

test('After an edit, the colours are those of the current file', () => {
  const before = `${head}    query: SELECT t.id FROM a AS t\n  b:\n    query: SELECT * FROM x WHERE id IN m\n`;
  const first = analyze(before, { kind: 'sync' });
  tokens(first, whole);
  const after = before
    .replace('streams:', 'with:\n  m: SELECT id FROM y\nstreams:')
    .replace('SELECT t.id', 'SELECT  t.id');
  const anew = tokens(analyze(after, { kind: 'sync' }), whole);
  expect(tokens(analyze(after, { kind: 'sync', previous: first }), whole)).toEqual(anew);
  expect(anew.map((token) => drawToken(after, token))).toContain('m interface');
});

const many = sizeOf(200_000);

test(`A query of ${many} columns has its tokens, symbols and selections`, () => {
  const columns = Array.from({ length: many }, (_, index) => `c${index}`).join(', ');
  const text = `config: {edition: 3}\nstreams:\n  a:\n    query: SELECT ${columns} FROM t\n`;
  const analysis = analyze(text, { kind: 'sync' });
  expect(tokens(analysis, { start: 0, end: text.length }).length).toBeGreaterThan(many);
  expect(tokenGroups(analysis)).toHaveLength(1);
  expect(outline(analysis)).toHaveLength(2);
  expect(selection(analysis, text.length - 5).length).toBeGreaterThan(3);
});
