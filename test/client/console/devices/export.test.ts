import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { writeAccessTest } from '../../../../client/console/devices/accessTest.ts';
import type { RowOnDevice } from '../../../../client/console/devices/device.ts';
import { writeExport } from '../../../../client/console/devices/export.ts';
import { failuresIn, problemsIn } from '../../../support/engine/accessTests.ts';

const row = (id: string, data: string): RowOnDevice => ({ id, data });
const todos = {
  name: 'todos',
  rows: [
    row('1', '{"id":"1","title":"say \\"hi\\",\\nthen go","size":9007199254740993,"note":null}'),
    row('2', '{"title":"","size":1.5,"more":"=1+1"}'),
  ],
};

describe('Rows are written', () => {
  test('as JSON, grouped by table, with all digits', () => {
    const { text } = writeExport('JSON', [todos, { name: 'li"sts', rows: [] }]);
    expect(text).toContain('"size": 9007199254740993');
    expect(JSON.parse(text)).toEqual({
      todos: [
        { id: '1', title: 'say "hi",\nthen go', size: 9007199254740992, note: null },
        { id: '2', title: '', size: 1.5, more: '=1+1' },
      ],
      'li"sts': [],
    });
  });

  test('as CSV, in which NULL differs from an empty string', () => {
    expect(writeExport('CSV', [todos]).text).toBe(
      ['id,title,size,note,more', '1,"say ""hi"",\nthen go",9007199254740993,,', '2,"",1.5,,=1+1', ''].join(
        '\r\n',
      ),
    );
  });

  test('as SQL that a database accepts, even if tables and columns have hostile names', () => {
    const strange = {
      name: 'o\'d"d; DROP TABLE x',
      rows: [row("it's", String.raw`{"a\"b":"'); DROP TABLE x; --","c d":1}`)],
    };
    const { text } = writeExport('SQL', [strange]);
    const database = new DatabaseSync(':memory:');
    database.exec(`CREATE TABLE "o'd""d; DROP TABLE x" (id TEXT, "a""b" TEXT, "c d" INTEGER)`);
    database.exec(text);
    expect(database.prepare(`SELECT * FROM "o'd""d; DROP TABLE x"`).all()).toEqual([
      { id: "it's", 'a"b': "'); DROP TABLE x; --", 'c d': 1 },
    ]);
  });

  test('without rows that are only partly on the device, whose number is returned', () => {
    const cut = { ...row('3', '{"body":"abc"}'), cut: new Map([['body', 10_000_000]]) };
    const { text, cut: count } = writeExport('JSON', [{ name: 'todos', rows: [...todos.rows, cut] }]);
    expect(count).toBe(1);
    expect(text).not.toContain('abc');
  });
});

describe('A device as an access test', () => {
  const config = `config:
  edition: 3
streams:
  rooms:
    auto_subscribe: true
    query: SELECT id, org FROM rooms WHERE org = auth.parameter('org')
  messages:
    query: SELECT * FROM messages WHERE room_id = subscription.parameter('room') AND size > 9007199254740992
`;
  const owner = {
    user: 'ada: "x"',
    claims: { org: 7 },
    question: { parameters: {}, subscriptions: [{ stream: 'messages', parameters: { room: 'r 1' } }] },
  };
  const source = [
    { table: 'rooms', rows: [{ data: '{"id":"r 1","org":7}' }, { data: '{"id":"r2","org":8,"name":null}' }] },
    {
      table: 'messages',
      rows: [
        { data: '{"id":"no","room_id":"r 1","size":9007199254740993,"text":"# no: comment"}' },
        { data: '{"id":"x2","room_id":"r2","size":9007199254740993}' },
      ],
    },
  ];

  test('passes with the config that it was written for', () => {
    const device = new Map([
      ['rooms', ['r 1']],
      ['messages', ['no']],
    ]);
    const text = writeAccessTest({ owner, source, device });
    expect(problemsIn(text, config)).toEqual([]);
    expect(failuresIn(text, config)).toEqual({ 'ada: "x" gets these rows': [] });
  });

  test('fails with a config that matches other users', () => {
    const device = new Map([['rooms', ['r 1']]]);
    const text = writeAccessTest({ owner, source, device });
    const [failures] = Object.values(failuresIn(text, config.replace("'org'", "'team'")));
    expect(failures?.length).toBeGreaterThan(0);
  });

  test('expects no rows if the device has none', () => {
    const nobody = { ...owner, claims: {}, question: { parameters: {}, subscriptions: [] } };
    const text = writeAccessTest({ owner: nobody, source, device: new Map() });
    expect(problemsIn(text, config)).toEqual([]);
    expect(Object.values(failuresIn(text, config))).toEqual([[]]);
  });
});
