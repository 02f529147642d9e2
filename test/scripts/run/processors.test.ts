import { expect, test } from 'vitest';
import { processorUse, readProcessors } from '../../../scripts/run/processors.ts';

const processor = (computing: number, idle: number) => ({
  times: { user: computing, nice: 0, sys: 0, irq: 0, idle },
});

test('the use of all processors between two readings is a share of their time', () => {
  const from = readProcessors([processor(1_000, 500), processor(0, 0)]);
  const to = readProcessors([processor(1_800, 700), processor(1_000, 0)]);
  expect(processorUse(from, to)).toBe('The processors of this machine computed for 90 % of the time.');
});

test('every kind of work counts', () => {
  const times = { user: 1, nice: 2, sys: 4, irq: 8, idle: 16 };
  expect(readProcessors([{ times }])).toEqual({ computing: 15, idle: 16 });
});

test('nothing is claimed on a system that does not count', () => {
  const nothing = readProcessors([]);
  expect(processorUse(nothing, nothing)).toContain('an unknown part of the time');
});
