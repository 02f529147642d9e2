import { describe, expect, test } from 'vitest';
import { laidOut } from '../../../server/engine/sql/layout/layout.ts';
import { tokenize } from '../../../server/engine/sql/lexer.ts';
import { exampleSqlTexts } from '../../support/engine/sqlTexts.ts';

const inLines = (text: string) => laidOut(text, { width: 60, lines: 'many' });

/** Each text is already in its final layout. */
const tidy: readonly string[] = [
  'SELECT *\nFROM t',
  'SELECT a, b AS c\nFROM t\nWHERE a = 1 AND b = 2',
  `SELECT a,
  upper(a_rather_long_name) AS b,
  a_rather_long_name || another_long_name AS c
FROM t
JOIN u ON u.id = t.u_id AND u.kind = 'boat'
WHERE t.first_condition = 1
  AND t.second_condition BETWEEN 1 AND 2
  AND t.third_condition IS NOT NULL`,
  `SELECT *
FROM t
WHERE first_condition = 1 AND second_condition = 2
  OR third_condition = 3 AND fourth_condition = 4`,
  `SELECT *
FROM t
WHERE boat_id IN (
  SELECT id
  FROM boats
  WHERE owner_id = auth.user_id() AND kind = 'motor boat'
)`,
  `SELECT *
FROM t
WHERE (
  a_rather_long_name = auth.user_id()
  OR another_long_name = auth.user_id()
)
  AND kind = 1`,
  `SELECT id,
  CASE
    WHEN a_rather_long_name THEN 'first'
    WHEN another_long_name THEN 'second'
    ELSE 'third'
  END AS sort
FROM t`,
  `SELECT id
FROM t
WHERE kind IN ARRAY[
  'a rather long text',
  'another long text',
  'and a third one'
]`,
  'SELECT t."Odd", -1 AS n, a * -1 AS m, CAST(a AS text) AS c\nFROM s.t AS "x"',
  'SELECT q.a\nFROM (SELECT a FROM t) AS q(a), json_each(q.a) AS e',
  'SELECT a -- the first\nFROM t -- all of them\nWHERE x /* = 1 */ = 2',
  '-- before\nSELECT a\nFROM t\n-- behind',
];

test.each(tidy)('%s does not change', (text) => {
  expect(inLines(text)).toBe(text);
});

test.each(tidy)('%s is laid out from one line', (text) => {
  if (text.includes('--')) return;
  const line = text.replace(/\s+/g, ' ').replaceAll('( ', '(').toLowerCase();
  expect(inLines(line)?.toLowerCase()).toBe(text.toLowerCase());
});

describe('All examples', () => {
  test.each([
    ['one', 100],
    ['many', 100],
    ['many', 20],
    ['one', 1],
  ] as const)(
    'in %s of %i characters keep their tokens, and a second layout does not change them',
    (lines, width) => {
      for (const text of exampleSqlTexts()) {
        const once = laidOut(text, { lines, width });
        if (once === undefined) continue;
        expect(tokensOf(once), text).toEqual(tokensOf(text));
        expect(laidOut(once, { lines: once.includes('\n') ? 'many' : 'one', width }), text).toBe(once);
      }
    },
  );
});

function tokensOf(text: string) {
  return tokenize(text).tokens.map(({ kind, text: written }) => `${kind} ${written}`);
}

test.each([
  ['a mistake', 'SELECT a FORM t'],
  ['two statements', 'SELECT a FROM t; SELECT b FROM t'],
  ['a statement other than SELECT', 'DELETE FROM t'],
  ['a clause that is refused', 'SELECT a FROM t LIMIT 1'],
  ['nothing at all', ''],
])('a text with %s is not laid out', (_, text) => {
  expect(inLines(text)).toBeUndefined();
});

test('keywords become upper case, but names do not change', () => {
  expect(inLines('select Value, KEY as "Key" from Public.From')).toBe(
    'SELECT Value, KEY AS "Key"\nFROM Public.From',
  );
});

test('a column without an alias keeps its text, because the text is its name', () => {
  expect(inLines('select a||b,upper( c ) from t')).toBe('SELECT a||b, upper( c )\nFROM t');
});
