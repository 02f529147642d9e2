import { expect, test } from 'vitest';
import { bucketsOf } from '../../../server/engine/plan/buckets.ts';
import { compileSql } from '../../support/engine/stream.ts';

/** Returns for each count: `shared`, `one` for each client, or its factors with their kinds and texts. */
function countsOf(sql: string): string[] {
  const { plan, texts } = compileSql(sql);
  if (!plan) throw new Error(`No plan: ${sql}`);
  return bucketsOf(plan).map(({ isShared, factors }) => {
    if (isShared) return 'shared';
    const written = factors.map(({ kind, of }) => {
      return `${kind} of ${texts[of.text]?.sql.text.slice(of.span.start, of.span.end)}`;
    });
    return written.sort().join(' × ') || 'one';
  });
}

test('A stream without keys has one bucket for all clients', () => {
  expect(countsOf('SELECT * FROM tasks WHERE done = 0')).toEqual(['shared']);
  expect(countsOf("SELECT * FROM tasks WHERE auth.parameter('role') = 'admin'")).toEqual(['shared']);
});

test('Keys with one value each result in one bucket for each client', () => {
  expect(
    countsOf("SELECT * FROM tasks WHERE owner_id = auth.user_id() AND kind = subscription.parameter('kind')"),
  ).toEqual(['one']);
});

test('A looked-up key has as many values as there are rows', () => {
  expect(
    countsOf('SELECT * FROM tasks WHERE list_id IN (SELECT id FROM lists WHERE owner_id = auth.user_id())'),
  ).toEqual(['rows of lists']);
});

test('A key that is also fixed by the request has one value', () => {
  expect(
    countsOf(`SELECT * FROM tasks WHERE list_id IN (SELECT id FROM lists WHERE owner_id = auth.user_id())
      AND list_id = subscription.parameter('list')`),
  ).toEqual(['one']);
});

test('Keys of independent lists multiply', () => {
  expect(
    countsOf(`SELECT * FROM tasks WHERE list_id IN (SELECT id FROM lists WHERE owner_id = auth.user_id())
      AND region IN auth.parameter('regions')`),
  ).toEqual(["elements of auth.parameter('regions') × rows of lists"]);
});

test('Keys of the same row do not multiply', () => {
  expect(
    countsOf(`SELECT tasks.* FROM tasks JOIN members ON tasks.list_id = members.list_id
      AND tasks.kind = members.kind WHERE members.user_id = auth.user_id()`),
  ).toEqual(['rows of members']);
});

test('Keys of a row and of a row that it refers to do not multiply', () => {
  expect(
    countsOf(`SELECT tasks.* FROM tasks JOIN lists ON tasks.list_id = lists.id
      JOIN members ON lists.org_id = members.org_id AND tasks.kind = members.kind
      WHERE members.user_id = auth.user_id()`),
  ).toEqual(['rows of lists']);
});

test('Each branch of an OR has its own count', () => {
  expect(
    countsOf(
      "SELECT * FROM tasks WHERE public OR owner_id = auth.user_id() OR region IN auth.parameter('r')",
    ),
  ).toEqual(['shared', 'one', "elements of auth.parameter('r')"]);
});
