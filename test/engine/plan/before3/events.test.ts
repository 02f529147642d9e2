import { expect, test } from 'vitest';
import { eventFindings } from '../../../support/engine/definition.ts';

test('A payload is read like a data query, without id and buckets', () => {
  expect(eventFindings('SELECT a, upper(b) AS c FROM t')).toEqual([]);
  expect(eventFindings('SELECT upper(a) FROM t')).toEqual(['alias-required "upper(a)"']);
  expect(eventFindings('SELECT bucket.x FROM t')).toEqual(['undefined-reference "bucket.x"']);
  expect(eventFindings('SELECT a FROM t, u')).toEqual(['single-table-required "t"']);
  expect(eventFindings('SELECT request.user_id() AS u FROM t')).toEqual([
    'request-function-in-data-query "request.user_id()"',
  ]);
});

test('WHERE has no effect, whatever its condition is', () => {
  expect(eventFindings('SELECT a FROM t WHERE nope.x BETWEEN 1 AND 2')).toEqual([
    'event-where-ignored "nope.x BETWEEN 1 AND 2"',
  ]);
});

test('A table may have no id', () => {
  const setting = { catalog: 'create table t (code)' };
  expect(eventFindings('SELECT * FROM t', setting)).toEqual([]);
  expect(eventFindings('SELECT cod FROM t', setting)).toEqual(['unknown-column "cod"']);
});
