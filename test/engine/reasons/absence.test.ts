import { describe, expect, test } from 'vitest';
import { type Asking, absencesIn, type Rows } from '../../support/engine/absences.ts';

/** Returns lines such as `todos: filtered at ‹archived = 0›, archived = 1`. */
function whyNot(
  streams: string,
  rows: Rows,
  table: string,
  { claims, parameters, subscriptions = [] }: Asking = {},
) {
  const text = `config:\n  edition: 3\nstreams:\n${streams}`;
  const [row] = rows[table] ?? [];
  const absences = absencesIn(text, rows, { table, row: row ?? {} }, { claims, parameters, subscriptions });
  return absences.map(({ stream, kind, marks, values, held }) => {
    const where = marks.map(({ start, end, sql }) => {
      expect(text.slice(start, end)).toBe(sql);
      return `‹${sql}›`;
    });
    const read = values.map((each) => `${each.text} = ${String(each.value)}`);
    const instead = held === undefined ? [] : [`held ${held.map(String).join(' or ')}`];
    return `${stream}: ${kind} at ${[...where, ...read, ...instead].join(', ')}`;
  });
}

const mine = `
  mine:
    auto_subscribe: true
    query: SELECT * FROM todos WHERE owner_id = auth.user_id() AND archived = 0
`;

describe('A row is not on a device', () => {
  test('because it does not fulfil a condition', () => {
    const rows = { todos: [{ id: '1', owner_id: 'ada', archived: 1 }] };
    expect(whyNot(mine, rows, 'todos')).toEqual(['mine: filtered at ‹archived = 0›, archived = 1']);
  });

  test('because it belongs to another user', () => {
    const rows = { todos: [{ id: '1', owner_id: 'bob', archived: 0 }] };
    const turned = mine.replace('owner_id = auth.user_id()', 'auth.user_id() = owner_id');
    expect(whyNot(turned, rows, 'todos')).toEqual([
      'mine: other values at ‹auth.user_id() = owner_id›, owner_id = bob, held ada',
    ]);
    expect(whyNot(mine, rows, 'todos')).toEqual([
      'mine: other values at ‹owner_id = auth.user_id()›, owner_id = bob, held ada',
    ]);
  });

  test('because a column that names the bucket is NULL', () => {
    const rows = { todos: [{ id: '1', owner_id: null, archived: 0 }] };
    expect(whyNot(mine, rows, 'todos')).toEqual(['mine: no key at ‹owner_id›']);
  });

  test('because it belongs to a row that the client does not have', () => {
    const streams = `
  todos:
    auto_subscribe: true
    query: SELECT * FROM todos WHERE list_id IN (SELECT id FROM lists WHERE owner_id = auth.user_id())
`;
    const rows = {
      todos: [{ id: '1', list_id: 'l2' }],
      lists: [
        { id: 'l1', owner_id: 'ada' },
        { id: 'l2', owner_id: 'bob' },
      ],
    };
    expect(whyNot(streams, rows, 'todos')).toEqual([
      'todos: other values at ‹list_id IN (SELECT id FROM lists WHERE owner_id = auth.user_id())›, list_id = l2, held l1',
    ]);
    expect(whyNot(streams, rows, 'todos', { claims: { sub: 'eve' } })).toEqual([
      'todos: nothing found at ‹list_id IN (SELECT id FROM lists WHERE owner_id = auth.user_id())›, list_id = l2',
    ]);
  });

  test('because it does not fulfil one of several conditions on the same value, which is reported', () => {
    const streams = `
  todos:
    query: SELECT * FROM todos WHERE list_id IN (SELECT id FROM lists WHERE owner_id = auth.user_id()) AND list_id = subscription.parameter('list')
`;
    const lists = ['l1', 'l2'].map((id) => ({ id, owner_id: 'ada' }));
    const asking = { subscriptions: [{ stream: 'todos', parameters: { list: 'l1' } }] };
    expect(whyNot(streams, { todos: [{ id: '1', list_id: 'l2' }], lists }, 'todos', asking)).toEqual([
      "todos: other values at ‹list_id = subscription.parameter('list')›, list_id = l2, held l1",
    ]);
    const others = [...lists, { id: 'l3', owner_id: 'bob' }];
    expect(whyNot(streams, { todos: [{ id: '1', list_id: 'l3' }], lists: others }, 'todos', asking)).toEqual([
      "todos: other values at ‹list_id IN (SELECT id FROM lists WHERE owner_id = auth.user_id())›, ‹list_id = subscription.parameter('list')›, list_id = l3, held l1 or l2",
    ]);
    const stranger = { subscriptions: [{ stream: 'todos', parameters: { list: 'l3' } }] };
    expect(
      whyNot(streams, { todos: [{ id: '1', list_id: 'l3' }], lists: others }, 'todos', stranger),
    ).toEqual([
      'todos: other values at ‹list_id IN (SELECT id FROM lists WHERE owner_id = auth.user_id())›, list_id = l3, held l1 or l2',
    ]);
    // The membership is not reported, because its condition is true.
    const elsewhere = { subscriptions: [{ stream: 'todos', parameters: { list: 'nonsense' } }] };
    expect(whyNot(streams, { todos: [{ id: '1', list_id: 'l1' }], lists }, 'todos', elsewhere)).toEqual([
      "todos: other values at ‹list_id = subscription.parameter('list')›, list_id = l1, held nonsense",
    ]);
  });

  test('because the client does not send a value, although the lookup finds the row', () => {
    const streams = `
  todos:
    query: SELECT * FROM todos WHERE list_id IN (SELECT id FROM lists WHERE owner_id = auth.user_id()) AND list_id = subscription.parameter('list')
`;
    const rows = { todos: [{ id: '1', list_id: 'l1' }], lists: [{ id: 'l1', owner_id: 'ada' }] };
    expect(whyNot(streams, rows, 'todos', { subscriptions: [{ stream: 'todos' }] })).toEqual([
      "todos: no client key at ‹list_id = subscription.parameter('list')›",
    ]);
  });

  test('because no branch of an OR matches, and each of them is reported', () => {
    const streams = `
  todos:
    accept_potentially_dangerous_queries: true
    query: SELECT * FROM todos WHERE team = auth.parameter('team') OR list_id = subscription.parameter('list')
`;
    const rows = { todos: [{ id: '1', list_id: 'l1', team: 't1' }] };
    expect(whyNot(streams, rows, 'todos', { subscriptions: [{ stream: 'todos' }] })).toEqual([
      "todos: no client key at ‹team = auth.parameter('team')›",
      "todos: no client key at ‹list_id = subscription.parameter('list')›",
    ]);
  });

  test('because two values of the client are not equal', () => {
    const streams = `
  todos:
    query: SELECT * FROM todos WHERE list_id = auth.parameter('list') AND list_id = subscription.parameter('list')
`;
    const asking = {
      claims: { sub: 'ada', list: 'l1' },
      subscriptions: [{ stream: 'todos', parameters: { list: 'l2' } }],
    };
    expect(whyNot(streams, { todos: [{ id: '1', list_id: 'l1' }] }, 'todos', asking)).toEqual([
      "todos: other values at ‹list_id = subscription.parameter('list')›, list_id = l1, held l2",
    ]);
  });

  test('because the client does not subscribe to its stream, or subscribes with other parameters', () => {
    const streams = `
  todos:
    query: SELECT * FROM todos WHERE list_id = subscription.parameter('list') AND kind = 'open'
`;
    const rows = { todos: [{ id: '1', list_id: 'l1', kind: 'open' }] };
    expect(whyNot(streams, rows, 'todos')).toEqual([expect.stringMatching(/^todos: not subscribed at/)]);
    const subscribed = { subscriptions: [{ stream: 'todos', parameters: { list: 'l9' } }] };
    expect(whyNot(streams, rows, 'todos', subscribed)).toEqual([
      "todos: other values at ‹list_id = subscription.parameter('list')›, list_id = l1, held l9",
    ]);
    const without = { subscriptions: [{ stream: 'todos', parameters: {} }] };
    expect(whyNot(streams, rows, 'todos', without)).toEqual([
      expect.stringMatching(/^todos: no client key at/),
    ]);
  });

  test('because of a condition on the client', () => {
    const streams = `
  admins:
    auto_subscribe: true
    query: SELECT * FROM todos WHERE auth.parameter('role') = 'admin'
`;
    const rows = { todos: [{ id: '1' }] };
    expect(whyNot(streams, rows, 'todos', { claims: { sub: 'ada', role: 'member' } })).toEqual([
      expect.stringMatching(/^admins: client filtered at ‹auth.parameter\('role'\) = 'admin'›.* = member$/),
    ]);
    expect(whyNot(streams, rows, 'todos', { claims: { sub: 'ada', role: 'admin' } })).toEqual([]);
  });

  test('for a reason in each stream that reads its table, and each reason is reported once', () => {
    const streams = `${mine}
  shared:
    auto_subscribe: true
    query: SELECT * FROM todos WHERE shared = 1 AND (team = auth.parameter('team') OR owner_id = auth.user_id())
`;
    const rows = { todos: [{ id: '1', owner_id: 'bob', archived: 0, shared: 0, team: 'x' }] };
    const reasons = whyNot(streams, rows, 'todos', { claims: { sub: 'ada', team: 'y' } });
    expect(reasons.filter((each) => each.startsWith('shared: filtered at ‹shared = 1›'))).toHaveLength(1);
    expect(reasons.filter((each) => each.startsWith('mine:'))).toHaveLength(1);
  });

  test('and numbers that are too large for JavaScript are compared exactly', () => {
    const streams = `
  todos:
    auto_subscribe: true
    query: SELECT * FROM todos WHERE list_id = auth.parameter('list') AND kind = auth.parameter('kind')
`;
    const rows = { todos: [{ id: '1', list_id: 9007199254740993n, kind: 'a' }] };
    expect(
      whyNot(streams, rows, 'todos', { claims: { sub: 'ada', list: 9007199254740993n, kind: 'b' } }),
    ).toEqual(["todos: other values at ‹kind = auth.parameter('kind')›, kind = a, held b"]);
  });

  test('because the client lacks a value, which each condition on it reports', () => {
    const streams = `
  todos:
    auto_subscribe: true
    query: SELECT * FROM todos WHERE owner = auth.parameter('x') OR editor = auth.parameter('x')
`;
    expect(whyNot(streams, { todos: [{ id: '1', owner: 'a', editor: 'b' }] }, 'todos')).toEqual([
      "todos: no client key at ‹owner = auth.parameter('x')›",
      "todos: no client key at ‹editor = auth.parameter('x')›",
    ]);
  });
});

describe('A row of a bucket definition is not on a device', () => {
  const rows = {
    todos: [{ id: '1', list_id: 'l2' }],
    lists: [
      { id: 'l1', owner_id: 'ada', kind: 'a' },
      { id: 'l2', owner_id: 'bob', kind: 'a' },
    ],
  };
  const whyNotIn = (parameters: string, claims?: object) => {
    const text = `bucket_definitions:
  mine:
    parameters: ${parameters}
    data: [SELECT * FROM todos WHERE list_id = bucket.list_id]
`;
    const [todo = {}] = rows.todos;
    const asking = { claims };
    return absencesIn(text, rows, { table: 'todos', row: todo }, asking).map(
      ({ kind, marks }) => `${kind} at ${marks.map(({ sql }) => `‹${sql}›`).join(', ')}`,
    );
  };

  test('because its parameter query returns other values', () => {
    expect(whyNotIn('SELECT id AS list_id FROM lists WHERE owner_id = request.user_id()')).toEqual([
      'other values at ‹list_id = bucket.list_id›',
    ]);
  });

  test('because the conditions of its parameter query find nothing', () => {
    const query = "SELECT id AS list_id FROM lists WHERE owner_id = request.user_id() AND kind = 'b'";
    expect(whyNotIn(query, { sub: 'eve' })).toEqual([
      "nothing found at ‹owner_id = request.user_id()›, ‹kind = 'b'›, ‹list_id = bucket.list_id›",
    ]);
  });
});
