import { describe, expect, test } from 'vitest';
import { bundles, type Ceiling } from '../../scripts/bundles/bundles.ts';
import lastRelease from '../../scripts/bundles/lastRelease.json' with { type: 'json' };
import { type ReleaseSizes, sizeReport } from '../../scripts/bundles/sizes.ts';
import { vsixCeiling } from '../../scripts/package.ts';

const ceiling: Ceiling = { kib: 120, reason: 'Every window loads it.' };
const before: ReleaseSizes = { version: '1.2.3', kib: { 'a.js': 100 } };

test.each([
  ['a.js', 104.96, '  105.0 of  120 KiB  +5.0 KiB (+5.0 %) since 1.2.3'],
  ['a.js', 120, '  120.0 of  120 KiB  +20.0 KiB (+20.0 %) since 1.2.3'],
  ['a.js', 98.5, '   98.5 of  120 KiB  -1.5 KiB (-1.5 %) since 1.2.3'],
  ['a.js', 100.04, '  100.0 of  120 KiB  as in 1.2.3'],
  ['new.js', 7, '    7.0 of  120 KiB  not in 1.2.3'],
])('%s of %d KiB shows its growth, and passes', (name, kib, line) => {
  expect(sizeReport(name, kib, { ceiling, before })).toEqual({ isWithin: true, line });
});

test('above its ceiling, a bundle fails with the reason for the ceiling', () => {
  expect(sizeReport('a.js', 120.1, { ceiling, before })).toEqual({
    isWithin: false,
    line:
      '  120.1 of  120 KiB  +20.1 KiB (+20.1 %) since 1.2.3\n' +
      '  Too large. Every window loads it. See scripts/bundles/bundles.ts.',
  });
});

describe('a ceiling leaves room for an eighth more than at the last release', () => {
  const sizes: Readonly<Record<string, number>> = lastRelease.kib;
  const ceilings: readonly (readonly [string, Ceiling])[] = [
    ...bundles.map(({ out, ceiling: own }) => [out, own] as const),
    ['vsix', vsixCeiling],
  ];

  test.each(ceilings)('%s', (name, { kib }) => {
    expect(kib).toBeGreaterThanOrEqual((sizes[name] ?? 0) * 1.125);
  });
});
