import { expect, test } from 'vitest';
import { messageOf } from '../../../server/engine/index.ts';
import { idleExpectations } from '../../../server/engine/tests/idleExpectations.ts';
import { readTests } from '../../../server/engine/tests/reading/readTests.ts';
import { roomsConfig, subjectOf } from '../../support/engine/accessTests.ts';

/** Returns the marked texts of the findings in the expectations of `ada`. */
function idleIn(tests: string, config = roomsConfig, seeded: readonly string[] = []): readonly string[] {
  const text = `config: sync.yaml\nusers: { ada: { id: u1 } }\n${tests}`;
  const found = idleExpectations(readTests(text).file, subjectOf(config), new Set(seeded));
  return found.map(({ span }) => text.slice(span.start, span.end));
}

const expecting = (tables: string): string => `tests: [{ name: a, expect: { ada: ${tables} } }]\n`;

test.each(['none', '[]'])('Expecting %s of a table without rows is reported', (none) => {
  expect(idleIn(expecting(`{ rooms: ${none}, messages: ${none} }`))).toEqual(['rooms', 'messages']);
  const rows = 'rows: { rooms: [{ id: r1 }], members: [{ id: m1 }] }\n';
  expect(idleIn(rows + expecting(`{ rooms: ${none}, messages: ${none} }`))).toEqual(['messages']);
  expect(idleIn(expecting(`{ rooms: ${none} }`), roomsConfig, ['rooms'])).toEqual([]);
});

test('Expecting nothing is reported if there is no row at all', () => {
  expect(idleIn(expecting('nothing'))).toEqual(['ada']);
  expect(idleIn(`rows: { members: [{ id: m1 }] }\n${expecting('nothing')}`)).toEqual([]);
});

test('A row at another step of the test is enough', () => {
  const steps = (change: string): string =>
    `tests: [{ name: a, steps: [{ expect: { ada: { rooms: none } } }, ${change}] }]\n`;
  expect(idleIn(steps('{ insert: { rooms: [{ id: r1 }] } }'))).toEqual([]);
  expect(idleIn(steps('{ insert: { members: [{ id: m1 }] } }'))).toEqual(['rooms']);
});

test('The rows of a table count under every name that clients have for them, and only there', () => {
  const config = `config:
  edition: 3
streams:
  places:
    query: SELECT id, org AS name FROM rooms AS places WHERE org = auth.parameter('org')
`;
  expect(idleIn(`rows: { rooms: [{ id: r1 }] }\n${expecting('{ places: none }')}`, config)).toEqual([]);
  expect(idleIn(expecting('{ places: none, rooms: none }'), config)).toEqual(['places', 'rooms']);
});

test('Only expectations of no rows are reported, and only for tables that are synced', () => {
  expect(idleIn(expecting('{ rooms: all, messages: [m1], unknown: none }'))).toEqual([]);
});

test('The message names the user, and the table if there is one', () => {
  const text = `config: s\nusers: { ada: {} }\n`;
  const messagesOf = (tables: string) =>
    idleExpectations(readTests(text + expecting(tables)).file, subjectOf(roomsConfig), new Set()).map(
      messageOf,
    );
  expect([...messagesOf('{ rooms: none }'), ...messagesOf('nothing')]).toEqual([
    'This test has no row of `rooms`, so expecting none holds with any config. Add one that `ada` must not get.',
    'This test has no row, so expecting none holds with any config. Add one that `ada` must not get.',
  ]);
});
