import { expect, test } from 'vitest';
import { compileSql } from '../../../support/engine/stream.ts';

const found = (sql: string) => compileSql(sql, { acceptDangerous: false }).findings;
const trip = "subscription.parameter('trip')";

test('A query whose rows the client alone chooses has a warning', () => {
  expect(found(`SELECT * FROM t WHERE id = ${trip}`)).toEqual([`unauthenticated-parameter "${trip}"`]);
  expect(found(`SELECT * FROM t WHERE ${trip}`)).toEqual([`unauthenticated-parameter "${trip}"`]);
  expect(found(`SELECT * FROM t WHERE id = ${trip} AND auth.parameter('admin')`)).toEqual([
    `unauthenticated-parameter "${trip}"`,
  ]);
});

test('One key from the token prevents the warning', () => {
  expect(found(`SELECT * FROM t WHERE id = ${trip} AND owner = auth.user_id()`)).toEqual([]);
  expect(found(`SELECT * FROM t WHERE id = ${trip} || auth.user_id()`)).toEqual([]);
});

test('Each side of an OR is checked on its own', () => {
  expect(found(`SELECT * FROM t WHERE id = ${trip} OR owner = auth.user_id()`)).toEqual([
    `unauthenticated-parameter "${trip}"`,
  ]);
});

test('Lookups and lists are as safe as the values that they are read with', () => {
  const sub = (condition: string) => `SELECT * FROM t WHERE x IN (SELECT id FROM u WHERE ${condition})`;
  expect(found(sub(`code = ${trip}`))).toEqual([`unauthenticated-parameter "${trip}"`]);
  expect(found(sub(`code = ${trip} AND owner = auth.user_id()`))).toEqual([]);
  expect(found(sub('public'))).toEqual([]);
  expect(found(`SELECT * FROM t WHERE x IN ${trip}`)).toEqual([`unauthenticated-parameter "${trip}"`]);
});

/** Returns a query on the chain t - a1 - a2 - … - m, in which each table is joined by the `up` column of the one before. */
function chain(length: number, parameterAt: number): string {
  const tables = Array.from({ length }, (_, index) => `a${index + 1}`);
  const joins = tables.map((name, index) => `JOIN ${name} ON ${name}.id = ${tables[index - 1] ?? 't'}.up`);
  const last = tables.at(-1) ?? 't';
  const chosen = parameterAt === 0 ? 't' : `a${parameterAt}`;
  return `SELECT t.* FROM t ${joins.join(' ')} JOIN m ON m.id = ${last}.up WHERE m.owner = auth.user_id() AND ${chosen}.id = ${trip}`;
}

test('Rows that the client chooses need no warning if any number of joins connects them with rows of the user', () => {
  for (const length of [0, 1, 2, 3, 4]) {
    for (let parameterAt = 0; parameterAt <= length; parameterAt += 1)
      expect([length, parameterAt, found(chain(length, parameterAt))]).toEqual([length, parameterAt, []]);
  }
});

test('Rows of the user do not prevent the warning if no join connects them with the chosen rows', () => {
  expect(
    found(
      `SELECT t.* FROM t JOIN a ON a.id = t.up, b JOIN m ON m.id = b.up WHERE m.owner = auth.user_id() AND a.id = ${trip}`,
    ),
  ).toEqual([`unauthenticated-parameter "${trip}"`]);
});

test('If no key depends on the request, the filters on the request are checked', () => {
  const linked = `SELECT t.* FROM t, u WHERE t.x = u.id`;
  expect(found(`${linked} AND ${trip} = 'a'`)).toEqual([`unauthenticated-parameter "${trip}"`]);
  expect(found(`${linked} AND ${trip} = 'a' AND auth.parameter('admin')`)).toEqual([]);
});

test('`accept_potentially_dangerous_queries` turns the warning off', () => {
  expect(compileSql(`SELECT * FROM t WHERE id = ${trip}`, { acceptDangerous: true }).findings).toEqual([]);
});
