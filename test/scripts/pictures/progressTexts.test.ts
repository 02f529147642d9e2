import { expect, test } from 'vitest';
import { progressTexts } from '../../../scripts/pictures/progressTexts.ts';

test('the texts that no picture may show are those of the user interface that mark progress', () => {
  const texts = progressTexts();
  expect(texts).toEqual(expect.arrayContaining(['Loading …', 'Measuring …', 'Reading the tables …']));
  expect(texts.filter((text) => !/^\w*ing\b|^On its way\b/.test(text))).toEqual([]);
});
