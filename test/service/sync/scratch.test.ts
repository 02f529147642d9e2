import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createScratch } from '../../../server/service/sync/encode/scratch.ts';

test('everything that was written since the last call is taken, whatever its form and size', () => {
  const sizes = fc.constantFrom(0, 1, 1_000, 30_000, 65_535, 65_536, 200_000);
  const piece = fc.record({
    size: sizes,
    letter: fc.constantFrom('a', 'é', '€', '😀'),
    isText: fc.boolean(),
  });
  const scratch = createScratch();
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 6 }), (pieces) => {
      const texts = pieces.map(({ size, letter }) => letter.repeat(size / letter.length));
      for (const [index, text] of texts.entries())
        scratch.write(pieces[index]?.isText ? text : Buffer.from(text));
      expect(Buffer.compare(Buffer.from(scratch.take()), Buffer.from(texts.join('')))).toBe(0);
    }),
    { numRuns: 60 },
  );
});
