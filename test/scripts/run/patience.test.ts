import { afterEach, expect, test, vi } from 'vitest';
import { patient, takeMeasure } from '../../../scripts/run/patience.ts';

afterEach(() => vi.unstubAllEnvs());

test.each([
  ['3', 300],
  ['1.5', 150],
  // Without a measurement, or with one that makes no sense, a slow machine is assumed.
  ['', 200],
  ['0', 200],
  ['x', 200],
])('with a factor of %j, a limit of 100 becomes %i', (factor, expected) => {
  vi.stubEnv('HEADWATER_PATIENCE', factor);
  expect(patient(100)).toBe(expected);
});

test('a machine is measured once for a run', async () => {
  vi.stubEnv('HEADWATER_PATIENCE', '4');
  expect(await takeMeasure()).toBe(4);
});
