/** The kept inputs and some thousand new ones against what opens no sockets; and that the fuzzing itself finds mistakes. */
import { describe, expect, test } from 'vitest';
import { casesOf } from '../support/share.ts';
import { changeBytes } from './bytes.ts';
import { fuzz } from './fuzz.ts';
import { explainFailure } from './main.ts';
import { budget, judge, type Target } from './target.ts';
import { pureTargets, targets } from './targets.ts';

test.each(pureTargets)('%s holds whatever comes', { timeout: 60_000 }, async (name) => {
  const target = await targets[name]();
  const cases = casesOf(name === 'service-config' ? 300 : 1_500);
  const { failures } = await fuzz(target, { lasts: { cases }, seed: 1 });
  expect(failures.map((failure) => explainFailure(name, failure))).toEqual([]);
});

describe('the fuzzing', () => {
  const sample = (attempt: Target['attempt']): Target => ({
    ...{
      name: 'sample',
      seeds: [Buffer.from('one two three four five six seven')],
      mutate: changeBytes,
      attempt,
    },
  });

  test('finds a mistake, makes it small, and finds the same again with the same seed', async () => {
    const target = sample((input) => {
      if (input.includes('four') && input.includes(0xff)) throw new RangeError('four and ff');
      return { feature: String(input.length % 7) };
    });
    const settings = { lasts: { cases: 20_000 }, seed: 3 };
    const { failures } = await fuzz(target, settings);
    expect(
      failures.map(({ input }) => input.toString('latin1')).map((text) => [...text].sort().join('')),
    ).toEqual(['foruÿ']);
    const again = await fuzz(target, settings);
    expect(again.failures.map(({ input }) => input)).toEqual(failures.map(({ input }) => input));
  });

  test('counts time, memory and what is not given back', async () => {
    const held: Buffer[] = [];
    const hold = () => {
      held.push(Buffer.alloc(budget.bytes + 2 ** 26, 1));
      return { feature: 'memory' };
    };
    expect((await judge(sample(hold), Buffer.alloc(0))).failure).toMatch(/^it took \d+ MiB$/);
    held.length = 0;
    const target = { ...sample(() => ({ feature: 'same' })), leftovers: async () => '7 × TCPSocketWrap' };
    const { failures } = await fuzz(target, { lasts: { cases: 10 }, seed: 1 });
    expect(failures.map(({ what }) => what)).toEqual(['7 × TCPSocketWrap']);
  });
});
