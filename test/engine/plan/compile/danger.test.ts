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

/** t - a1 - a2 - … - m, where each but the first is joined by the key of the one before it. */
function chain(length: number, parameterAt: number): string {
  const tables = Array.from({ length }, (_, index) => `a${index + 1}`);
  const joins = tables.map((name, index) => `JOIN ${name} ON ${name}.id = ${tables[index - 1] ?? 't'}.up`);
  const last = tables.at(-1) ?? 't';
  const chosen = parameterAt === 0 ? 't' : `a${parameterAt}`;
  return `SELECT t.* FROM t ${joins.join(' ')} JOIN m ON m.id = ${last}.up WHERE m.owner = auth.user_id() AND ${chosen}.id = ${trip}`;
}

test('Rows that are joined with the rows of the user are not chosen by the client alone, however far away', () => {
  for (const length of [0, 1, 2, 3, 4]) {
    for (let parameterAt = 0; parameterAt <= length; parameterAt += 1)
      expect([length, parameterAt, found(chain(length, parameterAt))]).toEqual([length, parameterAt, []]);
  }
});

test('Rows of the user that nothing joins with the chosen rows do not count', () => {
  expect(
    found(
      `SELECT t.* FROM t JOIN a ON a.id = t.up, b JOIN m ON m.id = b.up WHERE m.owner = auth.user_id() AND a.id = ${trip}`,
    ),
  ).toEqual([`unauthenticated-parameter "${trip}"`]);
});

test('Where no key depends on the request, its filters are judged', () => {
  const linked = `SELECT t.* FROM t, u WHERE t.x = u.id`;
  expect(found(`${linked} AND ${trip} = 'a'`)).toEqual([`unauthenticated-parameter "${trip}"`]);
  expect(found(`${linked} AND ${trip} = 'a' AND auth.parameter('admin')`)).toEqual([]);
});

test('The key of the stream accepts it', () => {
  expect(compileSql(`SELECT * FROM t WHERE id = ${trip}`, { acceptDangerous: true }).findings).toEqual([]);
});
