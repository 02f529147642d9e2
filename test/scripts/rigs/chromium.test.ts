import { expect, test } from 'vitest';
import { ensureChromium } from '../../../scripts/rigs/editors/chromium.ts';

test('CHROMIUM decides, whatever else is installed', async () => {
  expect(await ensureChromium({ CHROMIUM: process.execPath })).toEqual({
    kind: 'ready',
    path: process.execPath,
  });
});

test('a wrong CHROMIUM is not silently replaced by another browser', async () => {
  expect(await ensureChromium({ CHROMIUM: '/no/chromium', PATH: process.env.PATH })).toEqual({
    kind: 'missing',
    what: 'CHROMIUM names /no/chromium, which does not exist',
    fix: 'Correct or unset it.',
  });
});
