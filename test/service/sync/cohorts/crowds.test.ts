import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createCrowds } from '../../../../server/service/sync/cohorts/crowds.ts';

test('an index has the members that were added and not deleted since, and no key without members', () => {
  const members = ['a', 'b', 'c'].map((name) => ({ name }));
  const change = fc.record({
    isAdded: fc.boolean(),
    key: fc.constantFrom('k', 'l'),
    one: fc.constantFrom(...members),
  });
  fc.assert(
    fc.property(fc.array(change, { maxLength: 30 }), (changes) => {
      const crowds = createCrowds<(typeof members)[number]>();
      const expected = new Map([
        ['k', new Set()],
        ['l', new Set()],
      ]);
      for (const { isAdded, key, one } of changes) {
        crowds[isAdded ? 'add' : 'delete'](key, one);
        expected.get(key)?.[isAdded ? 'add' : 'delete'](one);
        for (const [known, ones] of expected) {
          expect(new Set(crowds.of(known))).toEqual(ones);
          expect(crowds.of(known)).toHaveLength(ones.size);
          expect(crowds.keys.has(known)).toBe(ones.size > 0);
        }
      }
    }),
  );
});
