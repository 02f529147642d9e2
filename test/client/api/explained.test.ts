import { expect, test } from 'vitest';
import { readExplained, readOfferedStreams } from '../../../client/api/explained.ts';

test('lists the stream names of the active config, and skips entries that are not streams', () => {
  const answer = { data: { streams: [{ name: 'lists', is_default: true }, { name: 'todos' }, {}, 'none'] } };
  const namesIn = (some: unknown) => readOfferedStreams(some).streams.map(({ name }) => name);
  expect(namesIn(answer)).toEqual(['lists', 'todos']);
  for (const other of [undefined, {}, { data: {} }, { data: { streams: 'none' } }])
    expect(namesIn(other)).toEqual([]);
});

test('reads reasons as the service sends them, and any other answer as one without reasons', () => {
  const placed = {
    kind: 'comparison',
    marks: [{ sql: 'a = b', start: 1, end: 6 }],
    values: [{ text: 'a', value: 1 }],
    held: [2],
    code: undefined,
  };
  const reason = {
    ...placed,
    stream: 'todos',
    missing: { part: 'auth', path: ['org'] },
    subscription: { list: 'l1' },
    conditions: [
      { ...placed, holds: false, table: { schema: 'public', name: 'lists' } },
      { ...placed, holds: 'later', code: 'invalid-json' },
    ],
  };
  const answerWith = (reasons: unknown) => ({
    data: { content: 'text', is_read: true, rows: [{ data: '{}', reasons }] },
  });
  expect(readExplained(answerWith([reason])).rows[0]?.reasons).toEqual([
    { ...reason, conditions: [reason.conditions[0], { ...reason.conditions[1], holds: 'unknown' }] },
  ]);
  for (const other of [undefined, 'none', {}])
    expect(readExplained(answerWith(other)).rows[0]?.reasons).toEqual([]);
  expect(readExplained(answerWith([{}])).rows[0]?.reasons).toEqual([
    { kind: '', stream: '', marks: [], values: [], conditions: [] },
  ]);
});
