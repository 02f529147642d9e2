import { expect, test } from 'vitest';
import { belongsTo } from '../../../server/engine/plan/evaluate/names.ts';

test.each([
  ['1#boats|0["u"]', true],
  ['1#boats|0[]', true],
  ['1#boats|1["u"]', false],
  ['1#boats["u"]', false],
  ['2#boats|0["u"]', false],
])('the key %s belongs to a part with the name before its first bracket: %s', (key, expected) => {
  expect(belongsTo({ names: new Set(['1#boats|0', '1#crew|0']) })(key)).toBe(expected);
});

test('if the name of a part contains a bracket, every key belongs to the parts, because its keys are not distinguishable', () => {
  const isStored = belongsTo({ names: new Set(['1#boats|0', '1#crew[|0']) });
  expect(['1#boats|0[]', '1#crew[|0[]', '2#other|0[]'].map(isStored)).toEqual([true, true, true]);
});
