import { describe, expect, test } from 'vitest';
import { coverTests } from '../../../server/engine/tests/coverage.ts';
import { readTests } from '../../../server/engine/tests/reading/readTests.ts';
import { writeExpectations } from '../../../server/engine/tests/update.ts';
import { applyEdits } from '../../../server/engine/text/edit.ts';
import { failuresIn, problemsIn, roomsConfig, subjectOf } from '../../support/engine/accessTests.ts';

const shared = `config: sync.yaml
users:
  ada: { id: u1, claims: { org: acme } }
  eve: { id: u2, claims: { org: evil } }
  nobody: {}
rows:
  rooms: [{ id: r1, org: acme }, { id: r2, org: other }]
  members: [{ id: m1, room_id: r1, user_id: u1 }]
  messages: [{ id: x1, room_id: r1 }, { id: x2, room_id: r9 }]
tests:
`;

const sourceTables = `create table rooms (id text, org text);
create table messages (id text, room_id text);
create table members (id text, room_id text, user_id text);`;

const run = (tests: string, config = roomsConfig) => failuresIn(shared + tests, config);
const message = '{ stream: messages, parameters: { room: r1 } }';

describe('a test passes', () => {
  test.each([
    ['with an exact list of rows', '- expect: { ada: { rooms: [r1] }, eve: { rooms: [] } }'],
    ['with `none` and `nothing`', '- expect: { eve: { rooms: none }, nobody: nothing }'],
    [
      'with a row of its own that is excluded',
      `- { rows: { rooms: [{ id: r3, org: x }] }, expect: { ada: { rooms: { excludes: [r3] } } } }`,
    ],
    [
      'with some rows included and some excluded',
      '- expect: { ada: { rooms: { includes: [r1], excludes: [r2] } } }',
    ],
    ['with columns', '- expect: { ada: { rooms: { columns: [id, org] } } }'],
    [
      'with a subscription',
      `- { subscribe: [${message}], expect: { ada: { messages: [x1] }, eve: { messages: none } } }`,
    ],
    [
      'with rows of a table that it does not name',
      `- { subscribe: [${message}], expect: { ada: { rooms: [r1] } } }`,
    ],
    [
      'with an integer id',
      '- { rows: { rooms: [{ id: 7, org: acme }] }, expect: { ada: { rooms: [7, r1] } } }',
    ],
  ])('%s', (_, line) => {
    expect(
      Object.values(
        run(`  ${line.replace('- {', '- { name: it,').replace('- expect', '- name: it\n    expect')}\n`),
      ),
    ).toEqual([[]]);
  });

  test('with steps that insert, update and delete rows', () => {
    expect(
      run(`  - name: it
    subscribe: [${message}]
    steps:
      - expect: { ada: { messages: [x1] } }
      - update: { messages: [{ id: x2, room_id: r1 }] }
      - expect: { ada: { messages: [x1, x2] } }
      - insert: { messages: [{ id: x3, room_id: r1 }] }
      - expect: { ada: { messages: all } }
      - delete: { members: [m1] }
      - expect: { ada: { messages: none } }
`),
    ).toEqual({ it: [] });
  });

  test('with the original shared rows, whatever another test has changed', () => {
    expect(
      run(`  - { name: first, steps: [{ delete: { rooms: [r1] } }, { expect: { ada: nothing } }] }
  - { name: second, expect: { ada: { rooms: [r1] } } }
`),
    ).toEqual({ first: [], second: [] });
  });
});

describe('a test fails', () => {
  test('for an unexpected row, and reports which stream sends it', () => {
    const [first, ...reasons] = run('  - { name: it, expect: { ada: { rooms: none } } }\n').it ?? [];
    expect(first).toBe('none: ada gets rooms r1, which is not expected.');
    expect(reasons).toEqual([
      '  The stream rooms sends this row. The row is in the bucket rooms|0["acme"], which the user gets. | rooms',
    ]);
  });

  test('for an unexpected row of a query that does not use the request, and reports this', () => {
    const open =
      'config: { edition: 3 }\nstreams:\n  s: { auto_subscribe: true, query: SELECT * FROM rooms }\n';
    expect((run('  - { name: it, expect: { eve: { rooms: none } } }\n', open).it ?? [])[1]).toContain(
      'The query does not compare the row with the user.',
    );
  });

  test.each([
    [
      'auth.user_id() IN (SELECT user_id FROM members)',
      '`auth.user_id() IN (SELECT user_id FROM members)` holds. The query does not compare the row with the user.',
    ],
    [
      "id IN (SELECT room_id FROM members WHERE user_id = auth.user_id()) AND org = 'acme'",
      '`id IN (SELECT room_id FROM members WHERE user_id = auth.user_id())` and `org = \'acme\'` hold. The row is in the bucket s|0["r1"], which the user gets.',
    ],
    ["org = 'acme'", "`org = 'acme'` holds. The query does not compare the row with the user."],
  ])('for an unexpected row, with the conditions by which the user has it: %s', (condition, reason) => {
    const config = `config: { edition: 3 }\nstreams:\n  s:\n    auto_subscribe: true\n    accept_potentially_dangerous_queries: true\n    query: SELECT * FROM rooms WHERE ${condition}\n`;
    expect((run('  - { name: it, expect: { ada: { rooms: none } } }\n', config).it ?? [])[1]).toContain(
      `  The stream s sends this row. ${reason}`,
    );
  });

  test('for an unexpected row, without the streams to which the user does not subscribe', () => {
    const query = "query: SELECT * FROM rooms WHERE org = auth.parameter('org')";
    const config = `config: { edition: 3 }\nstreams:\n  a: { auto_subscribe: true, ${query} }\n  b: { ${query} }\n`;
    const [, ...reasons] = run('  - { name: it, expect: { ada: { rooms: none } } }\n', config).it ?? [];
    expect(reasons).toEqual([expect.stringContaining('The stream a sends this row.')]);
  });

  test.each([
    [
      'a condition that is not true',
      "org = 'x' AND id = auth.user_id()",
      "does not hold: in this row, org is 'acme'. See `org = 'x'`.",
    ],
    ['a key that is NULL', 'gone = auth.user_id()', 'is NULL or binary. See `gone`.'],
    [
      'another bucket',
      'id = auth.user_id()',
      "in this row, id is 'r1'. ada has 'u1'. See `id = auth.user_id()`.",
    ],
    [
      'a lookup without rows',
      'id IN (SELECT room FROM moves WHERE who = auth.user_id())',
      'its lookups find no row for ada. See `id IN',
    ],
    [
      'a condition on the user',
      "auth.parameter('role') = 'x'",
      'a condition on the client does not hold: auth.role is NULL. See',
    ],
  ])('for a row that is missing because of %s', (_, condition, reason) => {
    const config = `config: { edition: 3 }\nstreams:\n  s:\n    auto_subscribe: true\n    query: SELECT * FROM rooms WHERE ${condition}\n`;
    const failures =
      run('  - { name: it, expect: { ada: { rooms: { includes: [r1] } } } }\n', config).it ?? [];
    expect(failures[0]).toBe('{ includes: [r1] }: ada does not get rooms r1.');
    expect(failures[1]).toContain(reason);
  });

  test.each([
    [
      "id = subscription.parameter('x')",
      "because the subscription has no parameter x. See `id = subscription.parameter('x')`.",
    ],
    // The message names neither the first key nor the lookup, because the lookup has the row.
    [
      "org = auth.parameter('org') AND id = subscription.parameter('x')",
      'the subscription has no parameter x',
    ],
    [
      "id IN (SELECT room_id FROM members WHERE user_id = auth.user_id()) AND org = subscription.parameter('x')",
      "because the subscription has no parameter x. See `org = subscription.parameter('x')`.",
    ],
    [
      "id = subscription.parameter('x') AND id IN (SELECT room_id FROM members WHERE user_id = auth.user_id())",
      "because the subscription has no parameter x. See `id = subscription.parameter('x')`.",
    ],
    [
      "id IN (SELECT room_id FROM members WHERE user_id = auth.user_id() AND room_id = subscription.parameter('x'))",
      "because the subscription has no parameter x. See `room_id = subscription.parameter('x')`.",
    ],
    [
      "id IN (SELECT value FROM json_each(subscription.parameter('x')))",
      'the subscription has no parameter x',
    ],
    [
      "subscription.parameter('x') = 'a' AND org = auth.parameter('org')",
      'does not hold: subscription.x is NULL.',
    ],
    // The row is compared with the side of the OR that has the row, not with the first one.
    [
      "gone = auth.parameter('none') OR id = subscription.parameter('x')",
      'the subscription has no parameter x',
    ],
    ["org = auth.parameter('none')", 'the token has no claim none'],
  ])('for a row that is missing because a value is not sent: %s', (condition, reason) => {
    const config = `config: { edition: 3 }\nstreams:\n  s:\n    accept_potentially_dangerous_queries: true\n    query: SELECT * FROM rooms WHERE ${condition}\n`;
    const failures = run(
      '  - { name: it, subscribe: [{ stream: s }], expect: { ada: { rooms: { includes: [r1] } } } }\n',
      config,
    ).it;
    expect(failures?.slice(1).join('\n')).toContain(reason);
  });

  test('for a row that is missing because the subscription parameter does not match the lookup', () => {
    const config = `config: { edition: 3 }\nstreams:\n  s:\n    query: SELECT * FROM rooms WHERE id = subscription.parameter('x') AND id IN (SELECT room_id FROM members WHERE user_id = auth.user_id())\n`;
    const subscribed = 'subscribe: [{ stream: s, parameters: { x: r2 } }]';
    expect(
      run(`  - { name: it, ${subscribed}, expect: { ada: { rooms: [r1] } } }\n`, config).it?.[1],
    ).toContain("ada has 'r2'. See `id = subscription.parameter('x')`.");
  });

  test('for a row that the test does not contain, or a stream to which it does not subscribe', () => {
    expect(run('  - { name: it, expect: { ada: { rooms: [r1, r7] } } }\n').it?.[1]).toBe(
      '  The test has no row r7 in rooms.',
    );
    expect(run('  - { name: it, expect: { ada: { messages: [x1] } } }\n').it?.[1]).toContain(
      'because the client does not subscribe to it.',
    );
  });

  test('for unexpected columns, whichever query sends them', () => {
    const two = `config: { edition: 3 }\nstreams:\n  a: { auto_subscribe: true, query: SELECT id FROM rooms }\n  b: { auto_subscribe: true, query: "SELECT id, org FROM rooms" }\n`;
    expect(run('  - { name: it, expect: { eve: { rooms: { columns: [id] } } } }\n', two).it?.[0]).toBe(
      '[id]: eve gets rooms r1 with org, which is not expected.',
    );
    expect(run('  - { name: it, expect: { eve: { rooms: { columns: [id] } } } }\n').it).toEqual([
      '[id]: eve has no row of rooms, so its columns cannot be checked.',
    ]);
  });

  test.each([
    ['that a query names', 'SELECT id, org, color FROM rooms', undefined, 'color'],
    [
      'that the table has',
      'SELECT * FROM rooms',
      'create table rooms (id text, org text, color text)',
      'color',
    ],
    ['that another row has', 'SELECT * FROM rooms', undefined, 'size'],
  ])('for a column %s even if the row lacks it, because clients get NULL', (_, query, tables, column) => {
    const config = `config: { edition: 3 }\nstreams:\n  s: { auto_subscribe: true, query: "${query}" }\n`;
    const file = `config: sync.yaml\nusers: { ada: { id: u1 } }\ntests:\n  - name: it
    rows: { rooms: [{ id: r1, org: acme }${column === 'size' ? ', { id: r2, size: 1 }' : ''}] }
    expect: { ada: { rooms: { columns: [id, org] } } }\n`;
    expect(failuresIn(file, config, tables).it?.[0]).toBe(
      `[id, org]: ada gets rooms r1 with ${column}, which is not expected.`,
    );
  });

  test.each([
    [
      '`all` for a table without rows',
      '{ ada: { moves: all } }',
      'all: There is no row of moves here, so `all` tests nothing.',
    ],
    [
      'excluding a row that does not exist',
      '{ ada: { rooms: { includes: [r1], excludes: [r7] } } }',
      '{ includes: [r1], excludes: [r7] }: This test has no row r7 in rooms, so excluding it tests nothing.',
    ],
  ])('if an expectation has no effect, such as %s', (_, expected, failure) => {
    const moves = `${roomsConfig}  moves: { auto_subscribe: true, query: SELECT * FROM moves }\n`;
    expect(run(`  - { name: it, expect: ${expected} }\n`, moves).it?.[0]).toContain(failure);
  });

  test.each(['{ ada: {} }', '{ ada: { rooms: {} } }', '{ ada: { rooms: { excludes: [] } } }'])(
    'with an error at its place if an expectation is empty: %s',
    (expected) => {
      expect(problemsIn(`${shared}  - { name: it, expect: ${expected} }\n`)[0]).toMatch(
        /^test-unreadable-expectation \{/,
      );
    },
  );

  test('but not for excluding a row that another step inserts or deletes', () => {
    expect(
      run(`  - name: it
    steps:
      - expect: { ada: { rooms: { excludes: [r3] } } }
      - insert: { rooms: [{ id: r3, org: acme }] }
      - expect: { ada: { rooms: { includes: [r3] } } }
      - delete: { rooms: [r1] }
      - expect: { ada: { rooms: { excludes: [r1] } } }
`),
    ).toEqual({ it: [] });
  });

  test('for rows of another table if it is strict', () => {
    expect(run('  - { name: it, strict: true, expect: { ada: { messages: none } } }\n').it?.[0]).toContain(
      'ada gets rooms r1',
    );
  });

  test('if the config fails for a row or for a user', () => {
    const config = `config: { edition: 3 }\nstreams:\n  s: { auto_subscribe: true, query: "SELECT * FROM rooms WHERE org ->> 'a' = 'x'" }\n`;
    expect(run('  - { name: it, expect: { ada: nothing } }\n', config).it?.[0]).toContain(
      'fails on rooms r1 with invalid-json',
    );
    const list = `config: { edition: 3 }\nstreams:\n  s: { auto_subscribe: true, query: "SELECT * FROM rooms WHERE org IN auth.parameter('org')" }\n`;
    expect(run('  - { name: it, expect: { ada: nothing } }\n', list).it?.[0]).toContain(
      'The stream s fails for ada',
    );
  });

  test('if it expects nothing, because it would always pass', () => {
    expect(run('  - { name: a }\n  - { name: b, expect: {} }\n')).toEqual({
      a: [expect.stringContaining('This test expects nothing yet')],
      b: [expect.stringContaining('This test expects nothing yet')],
    });
  });

  test.each([
    [
      'an unknown table',
      '  - { name: a, expect: { ada: { room: none } } }\n  - { name: b, expect: { ada: { rooms: [r1] } } }\n',
      { a: ['room: There is no table `room`. Did you mean `rooms`?'], b: [] },
    ],
    [
      'an error in the shared part of the file, but not one in another test or claim',
      '  - { name: a, expect: { ada: { rooms: [r1] } } }\nalways: [{ name: c }]\nrow: {}\n',
      { a: ['row: The key `row` is not known here. Did you mean `rows`?'] },
    ],
  ])('if it passes only because of %s', (_, tests, failures) => {
    expect(failuresIn(shared + tests, roomsConfig, sourceTables)).toEqual(failures);
  });

  test('if it changes a row that does not exist', () => {
    expect(
      run('  - { name: it, steps: [{ delete: { rooms: [r8] } }, { expect: { eve: nothing } }] }\n').it,
    ).toEqual(['r8: There is no row r8 to delete here.']);
  });
});

describe('rows whose id has another name in the source', () => {
  const config = `config: { edition: 3 }
streams:
  codes: { auto_subscribe: true, query: "SELECT code AS id, code FROM codes WHERE NOT (kind = 'old')" }
  settings: { auto_subscribe: true, query: "SELECT user_id AS id, theme FROM settings WHERE user_id = auth.user_id()" }
`;
  const file = (tests: string) => `config: sync.yaml
users: { ada: { id: u1 }, eve: { id: u2 } }
rows:
  codes: [{ code: USD }, { code: EUR }]
  settings: [{ user_id: u1, theme: dark }, { user_id: u2, theme: light }]
tests:
${tests}`;

  test('are expected, inserted, updated and deleted by the id that clients get', () => {
    const tests = `  - name: it
    expect: { ada: { codes: all, settings: [u1] }, eve: { codes: [EUR, USD], settings: { excludes: [u1] } } }
    steps:
      - insert: { codes: [{ code: CHF }] }
      - expect: { ada: { codes: all } }
      - update: { codes: [{ id: CHF, kind: old }] }
      - expect: { ada: { codes: [EUR, USD] } }
      - delete: { codes: [USD], settings: [u1] }
      - expect: { ada: { codes: [EUR], settings: none } }
`;
    expect(failuresIn(file(tests), config)).toEqual({ it: [] });
    expect(
      problemsIn(
        file(tests),
        config,
        'create table codes (code text, kind text);\ncreate table settings (user_id text, theme text);',
      ),
    ).toEqual([]);
  });

  test('are reported as missing, with the condition that excludes them', () => {
    const failures = failuresIn(
      file(
        '  - { name: it, expect: { eve: { settings: all } } }\n  - { name: old, rows: { codes: [{ code: DM, kind: old }] }, expect: { eve: { codes: all } } }\n',
      ),
      config,
    );
    expect(failures.it?.[0]).toBe('all: eve does not get settings u1.');
    expect(failures.old?.slice(0, 2)).toEqual([
      'all: eve does not get codes DM.',
      expect.stringContaining("kind is 'old'"),
    ]);
  });
});

describe('empty expectations', () => {
  test('are filled in so that they pass, and others do not change', () => {
    const text = `${shared}  - { name: a, subscribe: [${message}], expect: {} }\n  - { name: b, expect: { ada: { rooms: none } } }\n`;
    const { file } = readTests(text);
    const written = applyEdits(text, writeExpectations(file, subjectOf(roomsConfig), { seeds: [] }));
    expect(written).toBe(
      text.replace(
        'expect: {}',
        'expect: { ada: { rooms: [r1], messages: [x1] }, eve: nothing, nobody: nothing }',
      ),
    );
    expect(failuresIn(written).a).toEqual([]);
    expect(failuresIn(written).b).not.toEqual([]);
  });
});

test('Coverage reports how often conditions were true and false, and that no row was refused', () => {
  const config = `config: { edition: 3 }
streams:
  open: { auto_subscribe: true, query: SELECT * FROM rooms }
  own: { auto_subscribe: true, query: "SELECT * FROM members WHERE user_id = auth.user_id() AND room_id = 'r1'" }
`;
  const { file } = readTests(`${shared}  - { name: it, expect: { ada: { members: [m1] } } }\n`);
  const { streams } = coverTests(file, subjectOf(config), { seeds: [] });
  expect(
    streams.map(({ stream, given, refused, share, conditions }) => ({
      stream,
      given,
      refused,
      share,
      conditions: conditions.map(({ sql, wasTrue, wasFalse }) => `${sql}: ${wasTrue} ${wasFalse}`),
    })),
  ).toEqual([
    { stream: 'open', given: 2, refused: 0, share: 0.5, conditions: [] },
    {
      stream: 'own',
      given: 1,
      refused: 0,
      share: 0.5,
      conditions: ['user_id = auth.user_id(): 1 0', "room_id = 'r1': 1 0"],
    },
  ]);
});
