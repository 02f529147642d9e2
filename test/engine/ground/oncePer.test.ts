import { expect, test } from 'vitest';
import { oncePer } from '../../../server/engine/ground/oncePer.ts';

test('an answer is computed once for each object, even if the answer is undefined', () => {
  const asked: object[] = [];
  const ask = oncePer((subject: object) => void asked.push(subject));
  const [first, second] = [{}, {}];
  expect(ask.has(first)).toBe(false);
  ask(first);
  ask(first);
  ask(second);
  expect(asked).toEqual([first, second]);
  expect(ask.has(first)).toBe(true);
});
