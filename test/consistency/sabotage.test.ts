import { expect, test } from 'vitest';
import { misfits } from '../support/house/edits.ts';
import { withoutKeepalives } from './keepalives.ts';
import { mistakes } from './sabotage.ts';

test.each(mistakes)('$name: each of its edits matches exactly one place', ({ edits }) => {
  expect(misfits(edits)).toEqual([]);
});

test('each edit that removes keepalives matches exactly one place', () => {
  expect(misfits(withoutKeepalives)).toEqual([]);
});
