/** Each block is deflated separately, and only once for all clients. */
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { blockOf } from '../../../server/service/http/block.ts';

/** Lines of any size. Half of them repeat a former line, so a compressor with shared state would refer back to that line. */
const lines = fc.array(
  fc.oneof(
    fc.uint8Array({ minLength: 1, maxLength: 200, size: 'max' }),
    fc
      .constantFrom(1, 3_000, 20_000, 70_000)
      .map((size) => Buffer.alloc(size, '{"data":{"bucket":"1#news|0[]"}}')),
  ),
  { minLength: 1, maxLength: 8 },
);

test('blocks in any order are decompressed to their original bytes', async () => {
  await fc.assert(
    fc.asyncProperty(lines, async (all) => {
      const pieces = await Promise.all(all.map((line) => blockOf([line]).deflated));
      expect(read(pieces.map(({ bytes }) => bytes)).equals(Buffer.concat(all))).toBe(true);
    }),
    { numRuns: 30 },
  );
});

test.each([100, 100_000])('a block of %i bytes is deflated once', async (size) => {
  const block = blockOf([Buffer.alloc(size)]);
  expect(await block.deflated).toBe(await block.deflated);
  expect((await block.deflated).chunk).toBe((await block.deflated).chunk);
});

/** Decompresses a stream that has not ended yet, as clients of a sync stream do. */
function read(pieces: readonly Uint8Array[]): Buffer {
  const head = Buffer.from('1f8b08000000000004ff', 'hex');
  return gunzipSync(Buffer.concat([head, ...pieces]), { finishFlush: 2 });
}
