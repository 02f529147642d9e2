import { expect, test } from 'vitest';
import type { Second } from '../../../client/api/watch.ts';
import { laneData, lanes, minutesOf, summarize } from '../../../client/console/service/lanes.ts';

const second = (at: number, more: Partial<Second> = {}): Second => ({
  at: at * 1_000,
  rows: at,
  operations: 0,
  clients: 0,
  memory: 1,
  ...more,
});

const rowsIn = lanes.findIndex(({ id }) => id === 'rows');
const lag = lanes.findIndex(({ id }) => id === 'lag');

test('A line has gaps where seconds are missing or a value is unknown', () => {
  const data = laneData([second(1, { lag: 0 }), second(2), second(60, { lag: 2 })], 0);
  expect(data.times).toEqual([1, 2, 3, 60]);
  expect(data.values[rowsIn]).toEqual([1, 2, null, 60]);
  expect(data.values[lag]).toEqual([0, null, null, 2]);
});

test('Values older than the axis are left out', () => {
  expect(laneData([second(1), second(2)], 2_000).times).toEqual([2]);
});

test('A lane without a value shows "unknown" instead of zero', () => {
  const lane = lanes[lag];
  expect(lane && summarize(lane, [null, null])).toEqual({ now: 'unknown', most: '' });
  expect(lane && summarize(lane, [0, 2, null])).toEqual({ now: 'unknown', most: '2 s' });
  expect(lane && summarize(lane, [2, null, 0])).toEqual({ now: '0 ms', most: '2 s' });
});

test('The table has the largest value of each minute, with the last minute first', () => {
  const rows = minutesOf(laneData([second(10), second(59), second(61), second(62)], 0));
  expect(rows.map(({ at, most }) => [at, most[rowsIn], most[lag]])).toEqual([
    [60_000, 62, undefined],
    [0, 59, undefined],
  ]);
});
