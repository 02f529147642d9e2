import { expect, test } from 'vitest';
import { listNames } from '../../server/shared/listNames.ts';

test.each([
  { names: [], text: '' },
  { names: ['beds'], text: 'beds' },
  { names: ['beds', 'plots'], text: 'beds and plots' },
  { names: ['a', 'b', 'c', 'd'], text: 'a, b, c and d' },
  { names: ['a', 'b', 'c', 'd', 'e'], text: 'a, b, c and 2 others' },
])('$names.length names: $text', ({ names, text }) => {
  expect(listNames(names)).toBe(text);
});
