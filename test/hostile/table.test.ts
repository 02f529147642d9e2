import { expect, test } from 'vitest';
import { type Criterion, criteria, type HostileReport } from './report.ts';
import { heading, lineOf, lineWithout } from './table.ts';

const times = { count: 9, p50: 20, p99: 30, max: 40 };
const good: HostileReport = {
  attempts: 7,
  clients: 0,
  peakMemory: 200,
  probes: times,
  idle: times,
  changes: times,
  connected: 3,
  complaints: [],
};
const cellsOf = (line: string): readonly string[] => line.split(' | ');
const failing = (line: string): readonly number[] =>
  cellsOf(line).flatMap((cell, index) => (cell.includes('✗') ? [index] : []));
/** The column of a criterion. The first three columns describe the attack. */
const columnOf = (criterion: Criterion): number => criteria.indexOf(criterion) + 3;
const verdict = criteria.length + 3;

test('a line has a cell for each column of the heading', () => {
  const counts = [...heading.split('\n'), lineOf('a', 60, good), lineWithout('a')].map(
    (line) => cellsOf(line).length,
  );
  expect(new Set(counts)).toEqual(new Set([verdict + 1]));
});

test('an attack holds if nothing is wrong', () => {
  expect(failing(lineOf('a', 60, good))).toEqual([]);
});

test.each(criteria)('a complaint about %s fails the attack in its own column', (criterion) => {
  const report = { ...good, complaints: [{ criterion, sentence: 'It is wrong.' }] };
  expect(failing(lineOf('a', 60, report))).toEqual([columnOf(criterion), verdict]);
});

test.each<[Criterion, Partial<HostileReport>]>([
  ['memory', { peakMemory: 301 }],
  ['probe', { probes: { ...times, p99: 121 } }],
  ['changes', { changes: { ...times, count: 0 } }],
  ['clients', { connected: 0 }],
])('an attack fails because of %s', (criterion, change) => {
  expect(failing(lineOf('a', 60, { ...good, ...change }))).toEqual([columnOf(criterion), verdict]);
});
