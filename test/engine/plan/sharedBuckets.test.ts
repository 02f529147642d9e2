/** Buckets that belong to several streams of a request, and equal rows of a lookup. */
import { describe, expect, test } from 'vitest';
import { toConfigEvaluator } from '../../../server/engine/plan/evaluate/evaluate.ts';
import { distinctRows } from '../../../server/engine/plan/evaluate/requests.ts';
import { requestDocument } from '../../../server/engine/plan/evaluate/scope.ts';
import type { SqlValue } from '../../../server/engine/plan/values/value.ts';
import { finish } from '../../support/engine/evaluation.ts';
import { plansOf } from '../../support/engine/plans.ts';

type Stream = readonly [name: string, query: string, more?: string];

/** Returns the buckets of the user `u` with these streams. */
function bucketsOf(...streams: readonly Stream[]) {
  const texts = streams.map(
    ([name, query, more = '']) => `  ${name}:\n    auto_subscribe: true\n${more}    query: ${query}\n`,
  );
  const { plans, options } = plansOf(`config:\n  edition: 3\nstreams:\n${texts.join('')}`);
  const { request, rowsOf } = toConfigEvaluator(plans, { options });
  const crew = rowsOf({ tag: 'default', schema: 'public', name: 'crew' });
  const { entries } = crew({ id: 'c', person: 'u', captain: 'u' });
  const asked = {
    claims: requestDocument(JSON.stringify({ sub: 'u' })),
    connection: requestDocument('{}'),
    subscriptions: [],
    includeDefaults: true,
  };
  return finish(request(asked), entries).buckets.map(({ reasons, ...bucket }) => ({
    ...bucket,
    streams: reasons.map(({ stream }) => stream),
  }));
}

const own = 'SELECT * FROM boats WHERE owner = auth.user_id()';
const found = 'SELECT * FROM boats WHERE owner IN (SELECT captain FROM crew WHERE person = auth.user_id())';
const urgent = '    priority: 1\n';

describe('a bucket', () => {
  const bucket = 'own|0["u"]';

  test.each<[string, readonly Stream[], object]>([
    ['of one stream without a lookup', [['own', own]], { lookedUp: false, priority: 3 }],
    [
      'of two streams, the second of which looks it up',
      [
        ['own', own],
        ['found', found],
      ],
      { lookedUp: true, priority: 3, streams: ['own', 'found'] },
    ],
    [
      'of two streams without a lookup',
      [
        ['own', own],
        ['other', own],
      ],
      { lookedUp: false, priority: 3, streams: ['own', 'other'] },
    ],
    [
      'of two streams, the first of which is more urgent',
      [
        ['own', own, urgent],
        ['other', own],
      ],
      { priority: 1 },
    ],
    [
      'of two streams, the second of which is more urgent',
      [
        ['own', own],
        ['other', own, urgent],
      ],
      { priority: 1 },
    ],
  ])('%s', (_, streams, expected) => {
    expect(bucketsOf(...streams)).toEqual([expect.objectContaining({ bucket, ...expected })]);
  });

  test('of two streams, the first of which looks it up', () => {
    expect(bucketsOf(['found', found], ['own', own])).toEqual([
      { bucket: 'found|0["u"]', lookedUp: true, priority: 3, streams: ['found', 'own'] },
    ]);
  });
});

describe('rows of a lookup', () => {
  const bytes = (...values: readonly number[]) => new Uint8Array(values);

  test.each<[string, SqlValue[][], number[]]>([
    ['are equal if their only value is equal', [['a'], ['b'], ['a']], [0, 1]],
    [
      'are equal if all values are equal',
      [
        ['a', 1n],
        ['b', 1n],
        ['a', 1n],
      ],
      [0, 1],
    ],
    [
      'differ if the order of values differs',
      [
        ['a', 'b'],
        ['b', 'a'],
      ],
      [0, 1],
    ],
    [
      'differ even if they are equal when they are joined with commas',
      [
        ['a,b', 'c'],
        ['a', 'b,c'],
      ],
      [0, 1],
    ],
    [
      'differ even if a text looks like a length and another text',
      [
        ['1:a', 'b'],
        ['1', 'a:b'],
      ],
      [0, 1],
    ],
    [
      'differ if texts of the same length differ',
      [
        ['ab', 'c'],
        ['ba', 'c'],
      ],
      [0, 1],
    ],
    [
      'differ if one has a number and the other its digits',
      [
        ['1', 'a'],
        [1n, 'a'],
      ],
      [0, 1],
    ],
    [
      'differ if one has an integer and the other a real number',
      [
        [1, 'a'],
        [1n, 'a'],
      ],
      [0, 1],
    ],
    [
      'differ if one has NULL and the other the text null',
      [
        [null, 'a'],
        ['null', 'a'],
      ],
      [0, 1],
    ],
    ['are equal if their only bytes are equal', [[bytes(1, 2)], [bytes(1, 2)], [bytes(12)]], [0, 2]],
    [
      'are equal if all values are equal, even if one of them is bytes',
      [
        [bytes(1), 'a'],
        [bytes(1), 'a'],
        [bytes(2), 'a'],
      ],
      [0, 2],
    ],
    ['are equal if both are only NULL', [[null], [null], ['a']], [0, 2]],
  ])('%s', (_, rows, expected) => {
    expect(distinctRows(rows)).toEqual(expected.map((index) => rows[index]));
  });
});
