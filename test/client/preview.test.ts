import { describe, expect, test } from 'vitest';
import type { SyncResult } from '../../client/api/synced.ts';
import { previewText } from '../../client/preview/previewText.ts';
import {
  exampleOf,
  offersFor,
  readSubscriptions,
  writeSubscriptions,
} from '../../client/preview/subscriptions.ts';
import { type ReadResult, readWho } from '../../client/preview/who.ts';
import { localClientKey, signClientToken } from '../../client/project/clientToken.ts';

const key = localClientKey('a2V5');
const { token } = signClientToken({ sub: 'ada', role: 'admin' }, key, Date.UTC(2026, 0, 1));

/** Returns the value, or the reason why it cannot be read. */
function outcomeOf<T>(read: ReadResult<T>): T | string {
  return read.kind === 'read' ? read.value : read.why;
}

describe('The user of a preview', () => {
  test('is read from an id, from claims or from a token', () => {
    expect(outcomeOf(readWho(' ada '))).toEqual({ kind: 'claims', claims: { sub: 'ada' } });
    expect(outcomeOf(readWho('{"sub": "ada", "org": 7}'))).toEqual({
      kind: 'claims',
      claims: { sub: 'ada', org: 7 },
    });
    expect(outcomeOf(readWho(`${token}\n`))).toEqual({ kind: 'token', token, user: 'ada' });
  });

  test.each([
    ['', /^Enter the id of a user/],
    ['{"sub": "ada"', /must be a JSON object/],
    ['{"sub": "ada", "org": 9007199254740993}', /numbers that are too large/],
    ['{"org": 7}', /must contain the id of the user/],
    ['{"sub": 7}', /must contain the id of the user/],
  ])('cannot be read from %j', (text, why) => {
    expect(outcomeOf(readWho(text))).toMatch(why);
  });

  test.each(['a.b.c', 'ada@example.com', `${token}.more`])('can have an id like %s', (id) => {
    expect(outcomeOf(readWho(id))).toEqual({ kind: 'claims', claims: { sub: id } });
  });
});

describe('The subscriptions of a preview', () => {
  test.each([
    ['', []],
    [
      'todos, notes',
      [
        ['todos', null],
        ['notes', null],
      ],
    ],
    [
      '{"todos": {"list": "1"}, "notes": null}',
      [
        ['todos', { list: '1' }],
        ['notes', null],
      ],
    ],
    [
      'channel {"channel": "a b, {c}"}, notes, todos {"list": {"id": 1}}',
      [
        ['channel', { channel: 'a b, {c}' }],
        ['notes', null],
        ['todos', { list: { id: 1 } }],
      ],
    ],
    [
      '{"todos": [{"list": "1"}, {"list": "2"}]}',
      [
        ['todos', { list: '1' }],
        ['todos', { list: '2' }],
      ],
    ],
  ])('are read from %s', (text, expected) => {
    const subscriptions = expected.map(([stream, parameters]) => ({ stream, parameters }));
    expect(outcomeOf(readSubscriptions(text))).toEqual(subscriptions);
  });

  test.each([
    ['{"todos": {', /must be a JSON object/],
    ['channel {"channel": ', /parameters of channel/],
    ['notes, channel {"n": 9007199254740993}', /too large/],
    ['notes, }', /These parameters have no stream/],
    ['{"todos": "1"}', /parameters of todos/],
    ['{"todos": [[1]]}', /parameters of todos/],
  ])('cannot be read from %s', (text, why) => {
    expect(outcomeOf(readSubscriptions(text))).toMatch(why);
  });
});

test('Subscriptions are written in the form in which they are read', () => {
  const subscriptions = [
    { stream: 'channel', parameters: { channel: '{"a"}, b' } },
    { stream: 'notes', parameters: null },
  ];
  expect(outcomeOf(readSubscriptions(writeSubscriptions(subscriptions)))).toEqual(subscriptions);
});

describe('Streams of the config', () => {
  const streams = [
    { name: 'lists', isDefault: true, parameters: [] },
    { name: 'notes', isDefault: false, parameters: [] },
    { name: 'channel', isDefault: false, parameters: ['channel'] },
  ];

  test.each([
    ['', ['notes', 'channel {"channel": ""}']],
    ['ch', ['channel {"channel": ""}']],
    ['notes, ch', ['notes, channel {"channel": ""}']],
    ['notes', []],
    [
      'channel {"channel": "a"}',
      ['channel {"channel": "a"}, notes', 'channel {"channel": "a"}, channel {"channel": ""}'],
    ],
    ['channel {"channel": "no', []],
    ['{"notes": null}', []],
  ])('are offered after %j', (typed, values) => {
    expect(offersFor(typed, streams).map(({ value }) => value)).toEqual(values);
  });

  test('supply the example', () => {
    expect(exampleOf(streams)).toBe('channel {"channel": ""}');
    expect(exampleOf([])).toBe('');
  });
});

describe('A preview', () => {
  const row = (id: string, data = `{"id":"${id}","name":"Bread"}`) => ({ table: 'lists', id, data });
  const synced: SyncResult = {
    opId: '42',
    isWhole: true,
    buckets: [
      {
        name: '1#lists|0["ada"]',
        priority: 3,
        reasons: [{ stream: 'lists', subscription: 'default' }],
        rows: [row('l1'), row('l2')],
      },
      { name: '1#todos|0["l1"]', priority: 1, reasons: [{ stream: 'todos', subscription: 0 }], rows: [] },
    ],
    problems: [],
    unknownStreams: [],
  };
  const show = (change: Partial<SyncResult>) =>
    previewText({ user: 'ada', target: 'local', at: '10:00', synced: { ...synced, ...change } });

  test('lists each bucket with its reason and its rows', () => {
    expect(show({})).toBe(`Rows of ada from local
Read as a client at 10:00. Buckets: 2. Rows: 2.
All rows are from one consistent state: operation 42.

1#lists|0["ada"]  lists, auto-subscribed, priority 3
  lists: 2 rows
    id  name
    ──  ─────
    l1  Bread
    l2  Bread

1#todos|0["l1"]  todos, subscription 1, priority 1
  no rows
`);
  });

  test('reports that there are no buckets, and why', () => {
    const text = show({ buckets: [], unknownStreams: ['toods'], problems: ['no such parameter'] });
    expect(text.split('\n').slice(4)).toEqual([
      'The service reports: no such parameter',
      'There is no stream toods, so nothing was subscribed to.',
      'This user has no buckets.',
      '',
    ]);
  });

  test('shows values unchanged: all digits, NULL, quotes, and rows with different columns', () => {
    const rows = [
      row('l1', '{"id":"l1","count":9007199254740993,"of":null,"name":"a \\"b\\", {c}"}'),
      row('l2', '{"id":"l2","more":"two\\nlines","rate":-1.5e3}'),
      row('l3', 'no row'),
      row('l4', ''),
    ];
    const [bucket] = synced.buckets;
    const text = show({ buckets: bucket ? [{ ...bucket, rows }] : [] });
    expect(text.split('\n').slice(4, 12)).toEqual([
      '1#lists|0["ada"]  lists, auto-subscribed, priority 3',
      '  lists: 4 rows',
      '    id  count             of  name        more        rate    data',
      '    ──  ────────────────  ──  ──────────  ──────────  ──────  ──────',
      '    l1  9007199254740993  ∅   a "b", {c}  ∅           ∅       ∅',
      '    l2  ∅                 ∅   ∅           two\\nlines  -1.5e3  ∅',
      '    l3  ∅                 ∅   ∅           ∅           ∅       no row',
      '    l4  ∅                 ∅   ∅           ∅           ∅       ∅',
    ]);
  });

  test('can have more rows than a function can have arguments', () => {
    const [bucket] = synced.buckets;
    const rows = Array.from({ length: 200_000 }, (_, index) => row(`l${index}`));
    expect(show({ buckets: bucket ? [{ ...bucket, rows }] : [] })).toContain('lists: 200,000 rows');
  });

  test('reports omitted rows, buckets and characters', () => {
    const bucket = {
      ...synced.buckets[0],
      name: 'b',
      priority: 3,
      reasons: [],
      rows: [row('l1', `{"id":"l1","name":"${'x'.repeat(3000)}"}`)],
    };
    const text = show({ isWhole: false, buckets: Array.from({ length: 501 }, () => bucket) });
    expect(text).toContain('Reading stopped after 501 rows. There are more rows');
    expect(text).toContain(`    l1  ${'x'.repeat(59)}…\n`);
    expect(text).toMatch(/Buckets that are not shown: 1\.\n$/);
  });
});
