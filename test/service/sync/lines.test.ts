/** Lines for clients with a write checkpoint of their own, and the sentences about streams that are refused. */
import { describe, expect, test } from 'vitest';
import { sentenceForExcess } from '../../../server/service/sync/failures.ts';
import { type Line, withWriteCheckpoint } from '../../../server/service/sync/protocol.ts';

describe('the line of a client with a write checkpoint', () => {
  const whole: Line = { checkpoint: { last_op_id: '5', buckets: [], streams: [] } };
  const diff: Line = { checkpoint_diff: { last_op_id: '5', removed_buckets: [], updated_buckets: [] } };
  const complete: Line = { checkpoint_complete: { last_op_id: '5' } };

  test.each<[string, Line, bigint | undefined, object]>([
    ['of a checkpoint', whole, 7n, { checkpoint: { ...whole.checkpoint, write_checkpoint: '7' } }],
    ['of a difference', diff, 7n, { checkpoint_diff: { ...diff.checkpoint_diff, write_checkpoint: '7' } }],
    ['of the end stays as it is', complete, 7n, complete],
    ['without a number stays as it is', whole, undefined, whole],
  ])('%s', (_, line, number, expected) => {
    expect(withWriteCheckpoint(line, number)).toEqual(expected);
  });
});

describe('a refused stream is reported', () => {
  const excess = { reason: { stream: 's', subscription: 0 }, buckets: 1_500, limit: 'buckets', most: 1_000 };

  test.each<[string, object, RegExp]>([
    [
      'its subscription',
      {},
      /^This subscription would give the client 1,500 buckets, and the limit .* 1,000/,
    ],
    ['that it is a stream', { reason: { stream: 's', subscription: 'default' } }, /^This stream would/],
    ['which limit', { limit: 'results' }, /\(max_parameter_query_results\)\. Nothing/],
    [
      'that others are to blame, too',
      { buckets: 1_000 },
      /Together with the other streams, that is too many/,
    ],
    ['one bucket', { buckets: 1 }, /give the client 1 bucket, and/],
  ])('%s', (_, more, sentence) => {
    expect(sentenceForExcess({ ...excess, ...more } as Parameters<typeof sentenceForExcess>[0])).toMatch(
      sentence,
    );
  });
});
