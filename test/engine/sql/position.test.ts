import { describe, expect, test } from 'vitest';
import { positionAt } from '../../../server/engine/sql/position/position.ts';

describe('The kind of text that is expected after', () => {
  test.each([
    ['', 'statement'],
    ['SEL', 'statement'],
    ['SELECT ', 'value'],
    ['SELECT na', 'value'],
    ['SELECT a ', 'operator'],
    ['SELECT a, ', 'value'],
    ['SELECT * ', 'operator'],
    ['SELECT a * ', 'value'],
    ['SELECT a.* ', 'operator'],
    ['SELECT a AS ', 'name'],
    ['SELECT a AS b ', 'operator'],
    ['SELECT CASE WHEN a THEN ', 'value'],
    ['SELECT CASE WHEN a THEN b END ', 'operator'],
    ['SELECT CAST(a AS ', 'type'],
    ['SELECT a::', 'type'],
    ['SELECT a ->> ', 'key'],
    ["SELECT a ->> '", 'text'],
    ["SELECT a ->> 'b' ", 'operator'],
    ['SELECT * FROM ', 'table'],
    ['SELECT * FROM public.', 'table'],
    ['SELECT * FROM boats ', 'join'],
    ['SELECT * FROM boats b ', 'join'],
    ['SELECT * FROM boats AS "b" ', 'join'],
    ['SELECT * FROM boats, ', 'table'],
    ['SELECT * FROM boats INNER ', 'join word'],
    ['SELECT * FROM boats JOIN ', 'table'],
    ['SELECT * FROM boats JOIN crews ON ', 'value'],
    ['SELECT * FROM boats JOIN crews ON a = b, ', 'table'],
    ['SELECT * FROM json_each(', 'value'],
    ['SELECT * FROM json_each(a) ', 'join'],
    ['SELECT * FROM (SELECT a FROM ', 'table'],
    ['SELECT * FROM (SELECT a FROM b) ', 'join'],
    ['SELECT * FROM boats WHERE ', 'value'],
    ['SELECT * FROM boats WHERE a ', 'operator'],
    ['SELECT * FROM boats WHERE a = ', 'value'],
    ['SELECT * FROM boats WHERE a IS NOT ', 'test'],
    ['SELECT * FROM boats WHERE a IN (SELECT b FROM c) ', 'operator'],
    ['SELECT * FROM boats WHERE a BETWEEN 1 AND ', 'value'],
    ['SELECT upper(a FROM ', 'table'],
    ['SELECT substring(a FROM ', 'value'],
    ['SELECT * FROM boats WHERE a LIMIT ', 'nothing'],
    ['SELECT a; ', 'nothing'],
    ['SELECT a -- b', 'nothing'],
    ['SELECT a /* b', 'nothing'],
    ['SELECT a /* b */ ', 'operator'],
    ['SELECT a /* b /* c */ ', 'nothing'],
  ])('%s', (text, expected) => {
    expect(positionAt(text).expected).toBe(expected);
  });
});

test('Names before a dot qualify the word', () => {
  expect(positionAt('SELECT a.b.c').qualifiers).toEqual(['a', 'b']);
  expect(positionAt('SELECT "A b".').qualifiers).toEqual(['A b']);
  expect(positionAt('SELECT 1.').qualifiers).toEqual([]);
});

test('A quoted name starts at its opening quote, and a string literal after it', () => {
  expect(positionAt('SELECT "na me').start).toBe(7);
  expect(positionAt("SELECT 'na me").start).toBe(8);
  expect(positionAt("SELECT 'name'").start).toBe(13);
});

test('The surrounding calls are returned with the argument at the cursor', () => {
  const { calls } = positionAt('SELECT ifnull(a, substring(b, (1 + c), ');
  expect(calls).toEqual([
    expect.objectContaining({ name: 'ifnull', argument: 1 }),
    expect.objectContaining({ name: 'substring', argument: 2, start: 17 }),
  ]);
});

test('The call to which an arrow operator is applied is returned', () => {
  expect(positionAt("SELECT auth.parameters() ->> '").arrowOf).toEqual({
    schema: 'auth',
    name: 'parameters',
  });
  expect(positionAt("SELECT a ->> '").arrowOf).toBeUndefined();
});

test('The surrounding SELECTs are returned, and those in a FROM are marked', () => {
  const text = 'SELECT * FROM (SELECT a FROM b WHERE c IN (SELECT ';
  expect(positionAt(text).queries).toEqual([
    { start: 0, isSource: false },
    { start: 15, isSource: true },
    { start: 43, isSource: false },
  ]);
});

test('An open string literal is recognized after a closed one', () => {
  expect(positionAt("SELECT a FROM b WHERE c = 'it''s' AND d = '").expected).toBe('text');
});
