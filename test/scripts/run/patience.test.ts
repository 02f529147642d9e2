import { afterEach, expect, test } from 'vitest';
import { patienceVariable, patient } from '../../../scripts/run/patience.ts';
import { takeMeasure } from '../../../scripts/run/yardstick.ts';

const before = process.env[patienceVariable];
afterEach(() => {
  if (before === undefined) delete process.env[patienceVariable];
  else process.env[patienceVariable] = before;
});

test.each([
  ['3', 300],
  ['1.5', 150],
  // A slow machine is assumed if the measurement is missing or makes no sense.
  ['', 200],
  ['0', 200],
  ['x', 200],
])('with a factor of %j, a limit of 100 becomes %i', (factor, expected) => {
  process.env[patienceVariable] = factor;
  expect(patient(100)).toBe(expected);
});

test('a machine is measured only once per run', async () => {
  process.env[patienceVariable] = '4';
  expect(await takeMeasure(3)).toBe(4);
});
