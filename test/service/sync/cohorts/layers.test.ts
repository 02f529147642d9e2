/** Maps in layers behave like copied maps. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { withValues } from '../../../../server/service/sync/cohorts/layers.ts';

test('a map in layers has the entries of a copy in the same order, and former maps do not change', () => {
  const changes = fc.array(fc.array(fc.tuple(fc.nat(399), fc.integer()), { maxLength: 8 }), {
    maxLength: 12,
  });
  fc.assert(
    fc.property(fc.constantFrom(1, 63, 64, 400), changes, (size, rounds) => {
      let copy = new Map(Array.from({ length: size }, (_, key) => [key, 0]));
      let layered: ReadonlyMap<number, number> = new Map(copy);
      const before: (readonly [ReadonlyMap<number, number>, ReadonlyMap<number, number>])[] = [];
      for (const round of rounds) {
        before.push([layered, copy]);
        const values = round.filter(([key]) => key < size);
        copy = new Map([...copy, ...values]);
        layered = withValues(layered, values);
      }
      for (const [ours, theirs] of [...before, [layered, copy] as const]) {
        const told: [number, number][] = [];
        ours.forEach((value, key) => {
          told.push([key, value]);
        });
        expect([...ours]).toEqual([...theirs]);
        expect(told).toEqual([...theirs]);
        expect([[...ours.keys()], [...ours.values()], [...ours.entries()], ours.size]).toEqual([
          [...theirs.keys()],
          [...theirs.values()],
          [...theirs],
          theirs.size,
        ]);
        for (const key of [0, size - 1, size]) {
          expect([ours.get(key), ours.has(key)]).toEqual([theirs.get(key), theirs.has(key)]);
        }
      }
    }),
    { numRuns: 60 },
  );
});
