import { expect, test } from 'vitest';
import { blocksOf, operationBytes, type StepOutput } from '../../../../server/service/sync/cohorts/output.ts';
import { jsonEncoder } from '../../../../server/service/sync/encode/encoder.ts';

const output: StepOutput = [
  { checkpoint_diff: { last_op_id: '5', updated_buckets: [], removed_buckets: [] } } as never,
  { bytes: Buffer.from('{"a":1}\n'), count: 3 },
  { bytes: Buffer.from('{"b":1}\n'), count: 4 },
  { checkpoint_complete: { last_op_id: '5' } },
];

test('only operations are measured and counted, and not lines', () => {
  expect(operationBytes(output)).toBe(16);
  expect(blocksOf(output, jsonEncoder).operations).toBe(7);
});

test('nothing is sent if there is no output', () => {
  expect(blocksOf([], jsonEncoder).blockFor(undefined)).toBeUndefined();
  expect(blocksOf(output.slice(0, 1), jsonEncoder).blockFor(undefined)?.lines).toHaveLength(1);
});

test('clients with the same write checkpoint get the same block', () => {
  const { blockFor } = blocksOf(output, jsonEncoder);
  expect(blockFor(7n)).toBe(blockFor(7n));
  expect(blockFor(7n)).not.toBe(blockFor(8n));
  expect(String(blockFor(8n)?.lines[0])).toContain('"write_checkpoint":"8"');
  expect(blockFor(8n)?.lines).toHaveLength(4);
});
