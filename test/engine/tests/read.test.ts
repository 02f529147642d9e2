import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkTests } from '../../../server/engine/tests/check.ts';
import { readTests } from '../../../server/engine/tests/reading/readTests.ts';
import { readTestSeeds } from '../../../server/engine/tests/seeds/readSeeds.ts';
import { problemsIn, roomsConfig, subjectOf } from '../../support/engine/accessTests.ts';
import { readCatalog } from '../../support/engine/catalog.ts';
import { casesOf } from '../../support/house/share.ts';

const head = 'config: sync.yaml\nusers: { ada: { id: u1 } }\n';
const tables = [
  'create table rooms (id text, org text);',
  'create table messages (id text, room_id text);',
  'create table members (id text, room_id text, user_id text);',
  "create type state as enum ('open', 'closed');",
  'create table visits (id text, state state);',
].join('\n');

test('exact columns of `*` need a table whose columns are known', () => {
  const expecting = (more: string) =>
    `${head}${more}tests: [{ name: a, expect: { ada: { messages: { columns: [id] }, rooms: { columns: [id] } } } }]\n`;
  expect(problemsIn(expecting(''))).toEqual(['test-unknown-columns [id]']);
  expect(problemsIn(expecting(''), undefined, tables)).toEqual([]);
  const catalog = readCatalog(tables);
  const open = { ...catalog, tables: catalog.tables.map((each) => ({ ...each, open: true })) };
  const found = checkTests(readTests(expecting('')).file, subjectOf(roomsConfig), open);
  expect(found.map(({ code }) => code)).toEqual(['test-unknown-columns']);
  expect(problemsIn(expecting('rows: { from: [seed.sql] }\n'))).toEqual([]);
});

describe('A problem has its code at its place', () => {
  test.each([
    ['no config', 'tests: []\n', ['test-no-config tests']],
    ['a key of another kind of file', `${head}streams: {}\n`, ['unknown-key streams']],
    [
      'a user who is only an id',
      'config: s\nusers: { ada: u1 }\ntests: [{ name: a, expect: { ada: nothing } }]\n',
      ['expected-map u1'],
    ],
    ['a user who is a list', 'config: s\nusers: { ada: [] }\n', ['expected-map []']],
    ['rows that are not a list', `${head}rows: { rooms: 1 }\n`, ['expected-sequence 1']],
    ['a row of an unknown table', `${head}rows: { room: [{ id: r1 }] }\n`, ['test-unknown-name room']],
    ['an unknown column', `${head}rows: { rooms: [{ id: r1, ogr: x }] }\n`, ['test-unknown-name ogr']],
    [
      'a value that an enum does not list, in a shared row and in a step',
      `${head}rows: { visits: [{ id: v1, state: opne }, { id: v2, state: open }] }
tests:
  - name: a
    steps:
      - insert: { visits: [{ id: v3, state: gone }] }
      - update: { visits: [{ id: v3, state: null }] }
      - expect: { ada: nothing }
`,
      ['unlisted-value opne', 'unlisted-value gone'],
    ],
    [
      'a duplicate id',
      `${head}rows: { rooms: [{ id: r1 }, { id: r1 }] }\n`,
      ['test-duplicate-name { id: r1 }'],
    ],
    [
      'an id that a shared row already has',
      `${head}rows: { rooms: [{ id: r1 }] }\ntests: [{ name: a, rows: { rooms: [{ id: r1 }] }, expect: { ada: nothing } }]\n`,
      ['test-duplicate-name { id: r1 }'],
    ],
    [
      'an unknown user',
      `${head}tests: [{ name: a, expect: { ada: nothing, adda: nothing } }]\n`,
      ['test-unknown-name adda'],
    ],
    [
      'an unused user',
      'config: s\nusers: { ada: {}, eve: {} }\ntests: [{ name: a, expect: { ada: nothing } }]\n',
      ['test-unused-user eve'],
    ],
    [
      'an unknown stream',
      `${head}tests: [{ name: a, subscribe: [{ stream: mesages }], expect: { ada: nothing } }]\n`,
      ['test-unknown-name mesages'],
    ],
    [
      'an unknown subscription parameter',
      `${head}tests: [{ name: a, subscribe: [{ stream: messages, parameters: { rom: 1 } }], expect: { ada: nothing } }]\n`,
      ['test-unknown-name rom'],
    ],
    [
      'a table that is never synced',
      `${head}tests: [{ name: a, expect: { ada: { members: none } } }]\n`,
      ['test-never-synced members'],
    ],
    [
      'an unknown table if the tables are known',
      `${head}tests: [{ name: a, expect: { ada: { messagez: none } } }]\n`,
      ['test-unknown-name messagez'],
    ],
    [
      'an invalid expectation',
      `${head}tests: [{ name: a, expect: { ada: everything } }]\n`,
      ['test-unreadable-expectation everything', 'test-unused-user ada'],
    ],
    [
      'a duplicate name',
      `${head}tests: [{ name: a, expect: { ada: nothing } }, { name: a, expect: { ada: nothing } }]\n`,
      ['test-duplicate-name a'],
    ],
    [
      'a claim that calls an unknown function',
      `${head}always: [{ name: a, table: rooms, holds: "org = auth.userid() AND 'auth.x()' <> ''" }]\n`,
      [`test-unknown-name "org = auth.userid() AND 'auth.x()' <> ''"`],
    ],
    [
      'a claim without a condition',
      `${head}always: [{ name: a, table: rooms }]\n`,
      ['test-unreadable-claim { name: a, table: rooms }'],
    ],
  ])('%s', (_, text, problems) => {
    expect(problemsIn(text, undefined, tables)).toEqual(problems);
  });

  test('and does not affect the other tests', () => {
    const { file } = readTests(
      `${head}tests: [{ name: a, expect: { ada: 1 } }, { name: b, expect: { ada: nothing } }, 7]\n`,
    );
    expect(file.tests.map(({ name, steps }) => [name.value, steps.length])).toEqual([
      ['a', 1],
      ['b', 1],
    ]);
  });
});

describe('Values have the types that YAML gives them', () => {
  const valuesOf = (text: string) =>
    readTests(`config: s\nrows: { t: [{ id: 1, v: ${text} }] }\n`).file.rows[0]?.values.v;

  test.each<[string, unknown]>([
    ['1', 1n],
    ['1.0', 1],
    ['12345678901234567890', 12345678901234567890n],
    ['"1"', '1'],
    ['2024-01-01', '2024-01-01'],
    ['true', true],
    ['null', null],
    ['[a, 1]', ['a', 1n]],
  ])('%s', (text, value) => {
    expect(valuesOf(text)).toEqual(value);
  });

  test('even through an alias, and an alias to itself does not throw', () => {
    const { file } = readTests('config: s\nrows: { t: [&r { id: 1, v: x }], u: [*r] }\n');
    expect(file.rows.map(({ table, id }) => [table.value, id])).toEqual([
      ['t', '1'],
      ['u', '1'],
    ]);
    expect(() => readTests('config: s\nrows: &r { t: [*r] }\n')).not.toThrow();
  });
});

describe('Rows of SQL files', () => {
  const catalog = readCatalog('create table rooms (id text, size integer, open boolean);');
  const read = (sql: string) => {
    const { rows, problem } = readTestSeeds(sql, catalog);
    return [
      ...rows.map(
        ({ table, values }) =>
          `${table} ${Object.entries(values).map(([name, value]) => `${name}=${typeof value}:${value}`)}`,
      ),
      ...(problem === undefined ? [] : [problem]),
    ];
  };

  test.each([
    [
      'constants',
      "INSERT INTO rooms (id, size) VALUES ('a''b', -1), (E'x\\ny', NULL);",
      ["rooms id=string:a'b,size=bigint:-1", 'rooms id=string:x\ny,size=object:null'],
    ],
    [
      'casts, and text for a column of numbers',
      "insert into public.rooms values ('r'::text, '7', true)",
      ['public.rooms id=string:r,size=bigint:7,open=boolean:true'],
    ],
    [
      'COPY',
      'COPY rooms (id, size, open) FROM stdin;\na\t1\tt\nb\\tc\t\\N\tf\n\\.\n',
      [
        'rooms id=string:a,size=bigint:1,open=bigint:1',
        'rooms id=string:b\tc,size=object:null,open=bigint:0',
      ],
    ],
    [
      'a value that a database must compute',
      'INSERT INTO rooms (id) VALUES (gen_random_uuid())',
      ['line 1 has `gen_random_uuid ( )`, which only a database can compute. Write a constant.'],
    ],
    [
      'a query',
      "select 1;\nINSERT INTO rooms (id) SELECT 'a'",
      ['line 2 inserts values that only a database can compute. Write VALUES with constants.'],
    ],
    [
      'unknown columns',
      'INSERT INTO gone VALUES (1)',
      ['the columns of gone are unknown. List them after the name of the table.'],
    ],
    [
      'too few values',
      'INSERT INTO rooms (id, size) VALUES (1)',
      ['line 1 needs a value for each column of rooms: 1 instead of 2.'],
    ],
  ])('%s', (_, sql, rows) => {
    expect(read(sql)).toEqual(rows);
  });
});

test('Reading never throws, whatever is typed', () => {
  const words = [
    'config: s',
    'users:',
    'tests:',
    'rows:',
    'always:',
    ' ',
    '\n',
    '- ',
    '{',
    '}',
    '[',
    ']',
    'expect: ',
    'ada: ',
    'nothing',
    '&a ',
    '*a',
    ': ',
    'steps: ',
    '"',
    'name: x',
    '1',
    ', ',
  ];
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...words), { maxLength: 40 }), (parts) => {
      expect(() => problemsIn(parts.join(''))).not.toThrow();
    }),
    { numRuns: casesOf(500) },
  );
});
