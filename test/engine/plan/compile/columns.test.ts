import { expect, test } from 'vitest';
import { findingsOf } from '../../../support/engine/stream.ts';

test('All columns must come from one table', () => {
  expect(findingsOf('SELECT b.*, 1 AS one, upper(b.x) AS x FROM b')).toEqual([]);
  expect(findingsOf('SELECT b.id, c.name FROM b, c')).toEqual(['multiple-output-tables "c.name"']);
  expect(findingsOf('SELECT b.id, f.value FROM b, json_each(b.x) f')).toEqual([
    'output-from-function "f.value"',
  ]);
  expect(findingsOf('SELECT b.id, f.* FROM b, json_each(b.x) f')).toEqual(['output-from-function "f.*"']);
  expect(findingsOf('SELECT id, x IN y AS z FROM b')).toEqual(['output-from-function "y"']);
  expect(findingsOf('SELECT id, x NOT IN y AS z FROM b')).toEqual([]);
  expect(findingsOf('SELECT id, auth.user_id() AS me FROM b')).toEqual([
    'parameter-in-output "auth.user_id()"',
  ]);
});

test('At least one column must come from a table, unless there are no columns or another problem', () => {
  expect(findingsOf('SELECT 1 AS id FROM b')).toEqual(['no-output-table "SELECT 1 AS id FROM b"']);
  expect(findingsOf('SELECT q.* FROM (SELECT 1 AS n FROM b) q')).toEqual([
    'no-output-table "SELECT q.* FROM (SELECT 1 AS n FROM b) q"',
  ]);
  expect(findingsOf('SELECT FROM b')).toEqual([]);
  expect(findingsOf('SELECT FROM b WHERE x > auth.user_id()')).toEqual([]);
  expect(findingsOf('SELECT nope.id FROM b')).toEqual(['table-not-in-from "nope.id"']);
});

test('An expression without a name is reported', () => {
  expect(findingsOf('SELECT id, upper(name), 1 FROM b')).toEqual([
    'unnamed-column "1"',
    'unnamed-column "upper(name)"',
  ]);
  expect(findingsOf('SELECT id, user FROM b')).toEqual(['unsupported-expression "user"']);
  expect(findingsOf('SELECT id FROM b WHERE x IN (SELECT upper(y) FROM c)')).toEqual([]);
});

test('A star may overwrite the aliases before it', () => {
  expect(findingsOf('SELECT code AS id, * FROM b')).toEqual(['star-overrides-alias "*"']);
  expect(findingsOf('SELECT id, * FROM b')).toEqual([]);
  expect(findingsOf('SELECT x AS y, *, z AS w, b.* FROM b')).toEqual([
    'star-overrides-alias "*"',
    'star-overrides-alias "b.*"',
  ]);
});

test('An alias that renames the output table of a join must look deliberate', () => {
  expect(findingsOf('SELECT t.* FROM trips t, c WHERE c.x = t.x')).toEqual(['aliased-output-table "trips"']);
  expect(findingsOf('SELECT t.* FROM trips "t", c WHERE c.x = t.x')).toEqual([
    'aliased-output-table "trips"',
  ]);
  expect(findingsOf('SELECT t.* FROM trips AS "t", c WHERE c.x = t.x')).toEqual([]);
});

test('An abbreviation that renames the output table must look deliberate', () => {
  const found = ['abbreviated-output-table "trips"'];
  expect(findingsOf('SELECT t.* FROM trips t WHERE t.x IN (SELECT x FROM c)')).toEqual(found);
  expect(findingsOf('SELECT t.* FROM "trips" t, c WHERE c.x = t.x')).toEqual([
    `abbreviated-output-table ${JSON.stringify('"trips"')}`,
  ]);
  expect(findingsOf('SELECT t.* FROM trips AS "t" WHERE t.x = 1')).toEqual([]);
  expect(findingsOf('SELECT tour.* FROM trips AS tour WHERE tour.x = 1')).toEqual([]);
});

test('Clauses that limit or sort rows are refused, and LIMIT with OFFSET is one clause', () => {
  expect(findingsOf('SELECT id FROM b ORDER BY id DESC, x LIMIT 1')).toEqual([
    'unsupported-clause "LIMIT 1"',
    'unsupported-clause "ORDER BY id DESC, x"',
  ]);
  expect(findingsOf('SELECT id FROM b LIMIT 1 OFFSET 2')).toEqual(['unsupported-clause "LIMIT 1 OFFSET 2"']);
  expect(findingsOf('SELECT id FROM b OFFSET 2')).toEqual(['unsupported-clause "OFFSET 2"']);
});

test('Only inner joins are accepted, and the tables of other joins can still be used', () => {
  expect(findingsOf('SELECT b.id FROM b LEFT JOIN c ON c.x = b.x WHERE c.y = auth.user_id()')).toEqual([
    'unsupported-join "LEFT JOIN c"',
  ]);
  expect(findingsOf('SELECT b.id FROM b CROSS JOIN c')).toEqual(['unsupported-join "CROSS JOIN c"']);
  expect(findingsOf('SELECT b.id FROM b JOIN c USING (x)')).toEqual(['join-using "USING (x)"']);
});

test('Only a SELECT is a query', () => {
  expect(findingsOf('DELETE FROM b')).toEqual(['not-a-select "DELETE FROM b"']);
  expect(findingsOf('SELECT id FROM b UNION SELECT id FROM c')).toEqual([
    'not-a-select "SELECT id FROM b UNION SELECT id FROM c"',
  ]);
});
