/** Lines for a client with its own write checkpoint, and the messages about refused streams. */
import { describe, expect, test } from 'vitest';
import { sentenceForExcess } from '../../../server/service/sync/failures.ts';
import { type Line, withWriteCheckpoint } from '../../../server/service/sync/protocol.ts';

describe('adding a write checkpoint', () => {
  const whole: Line = { checkpoint: { last_op_id: '5', buckets: [], streams: [] } };
  const diff: Line = { checkpoint_diff: { last_op_id: '5', removed_buckets: [], updated_buckets: [] } };
  const complete: Line = { checkpoint_complete: { last_op_id: '5' } };

  test.each<[string, Line, bigint | undefined, object]>([
    [
      'changes the line of a checkpoint',
      whole,
      7n,
      { checkpoint: { ...whole.checkpoint, write_checkpoint: '7' } },
    ],
    [
      'changes the line of a difference',
      diff,
      7n,
      { checkpoint_diff: { ...diff.checkpoint_diff, write_checkpoint: '7' } },
    ],
    ['does not change the line of a completion', complete, 7n, complete],
    ['does not change a line if there is no write checkpoint', whole, undefined, whole],
  ])('%s', (_, line, number, expected) => {
    expect(withWriteCheckpoint(line, number)).toEqual(expected);
  });
});

describe('the message about a refused stream', () => {
  const excess = { reason: { stream: 's', subscription: 0 }, buckets: 1_500, limit: 'buckets', most: 1_000 };

  test.each<[string, object, RegExp]>([
    [
      'names a subscription',
      {},
      /^This subscription would give the client 1,500 buckets, and the limit .* 1,000/,
    ],
    [
      'names a stream without a subscription',
      { reason: { stream: 's', subscription: 'default' } },
      /^This stream would/,
    ],
    ['names the limit', { limit: 'results' }, /\(max_parameter_query_results\)\. Nothing/],
    [
      'mentions the other streams if this one alone is within the limit',
      { buckets: 1_000 },
      /Together with the other streams, that is too many/,
    ],
    ['uses the singular for one bucket', { buckets: 1 }, /give the client 1 bucket, and/],
  ])('%s', (_, more, sentence) => {
    expect(sentenceForExcess({ ...excess, ...more } as Parameters<typeof sentenceForExcess>[0])).toMatch(
      sentence,
    );
  });
});
