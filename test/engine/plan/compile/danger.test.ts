import { expect, test } from 'vitest';
import { compileSql } from '../../../support/engine/stream.ts';

const found = (sql: string) => compileSql(sql, { acceptDangerous: false }).findings;
const trip = "subscription.parameter('trip')";

test('Content that the client alone chooses is worth a warning', () => {
  expect(found(`SELECT * FROM t WHERE id = ${trip}`)).toEqual([`unauthenticated-parameter "${trip}"`]);
  expect(found(`SELECT * FROM t WHERE ${trip}`)).toEqual([`unauthenticated-parameter "${trip}"`]);
  expect(found(`SELECT * FROM t WHERE id = ${trip} AND auth.parameter('admin')`)).toEqual([
    `unauthenticated-parameter "${trip}"`,
  ]);
});

test('One key from the token is enough', () => {
  expect(found(`SELECT * FROM t WHERE id = ${trip} AND owner = auth.user_id()`)).toEqual([]);
  expect(found(`SELECT * FROM t WHERE id = ${trip} || auth.user_id()`)).toEqual([]);
});

test('Each way to the rows is judged for itself', () => {
  expect(found(`SELECT * FROM t WHERE id = ${trip} OR owner = auth.user_id()`)).toEqual([
    `unauthenticated-parameter "${trip}"`,
  ]);
});

test('Lookups and lists are as safe as what they are read with', () => {
  const sub = (condition: string) => `SELECT * FROM t WHERE x IN (SELECT id FROM u WHERE ${condition})`;
  expect(found(sub(`code = ${trip}`))).toEqual([`unauthenticated-parameter "${trip}"`]);
  expect(found(sub(`code = ${trip} AND owner = auth.user_id()`))).toEqual([]);
  expect(found(sub('public'))).toEqual([]);
  expect(found(`SELECT * FROM t WHERE x IN ${trip}`)).toEqual([`unauthenticated-parameter "${trip}"`]);
});

test('Where no key depends on the request, its filters are judged', () => {
  const linked = `SELECT t.* FROM t, u WHERE t.x = u.id`;
  expect(found(`${linked} AND ${trip} = 'a'`)).toEqual([`unauthenticated-parameter "${trip}"`]);
  expect(found(`${linked} AND ${trip} = 'a' AND auth.parameter('admin')`)).toEqual([]);
});

test('The key of the stream accepts it', () => {
  expect(compileSql(`SELECT * FROM t WHERE id = ${trip}`, { acceptDangerous: true }).findings).toEqual([]);
});
