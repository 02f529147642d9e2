import { PassThrough } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { followPulses, pulseProblem } from '../../../../server/service/replication/embedded/pulse.ts';
import { createManualClock } from '../../../support/service/manualClock.ts';

test.each([
  ['runs nothing', { blocked: 400 }, 900, undefined],
  ['runs a short statement', { blocked: 2_500, runs: 2_500, statement: 'SELECT 1' }, 900, undefined],
  ['runs a long statement', { blocked: 40_000, runs: 40_000, statement: 'SELECT\n  1' }, 400, 'warning'],
  ['is busy for a moment without a statement', { blocked: 4_000 }, 900, undefined],
  ['hangs without a statement', { blocked: 12_000 }, 900, 'silence'],
  ['is suspended', { blocked: 400 }, 12_000, 'silence'],
  [
    'is suspended during a statement',
    { blocked: 4_000, runs: 4_000, statement: 'SELECT 1' },
    12_000,
    'silence',
  ],
])('a process that %s is reported as slow or silent, or not at all', (_, pulse, silence, expected) => {
  const problem = pulseProblem(pulse, silence, 7);
  expect(problem?.kind ?? problem?.level).toBe(expected);
});

test('a long statement is reported with its duration', () => {
  const pulse = { blocked: 40_000, runs: 40_000, statement: 'SELECT\n  1' };
  expect(pulseProblem(pulse, 400, 7)?.message).toMatch(/ 40 s, .*: SELECT 1$/);
});

test('a process that does not answer is reported with its id and the duration', () => {
  expect(pulseProblem({ blocked: 0 }, 12_000, 4711)?.message).toMatch(/4711.* 12 s/);
});

test('silence is reported after the database has opened, but not while it is opening', async () => {
  const file = new PassThrough();
  const clock = createManualClock();
  const { opened, problem } = followPulses(file, 7, clock);
  await clock.advance(60_000);
  expect(problem()).toBeUndefined();
  opened();
  await clock.advance(4_000);
  expect(problem()).toBeUndefined();
  await clock.advance(1_000);
  expect(problem()?.kind).toBe('silence');
  file.destroy();
});

test('silence ends with the next pulse, even if that arrives in pieces', async () => {
  const file = new PassThrough();
  const clock = createManualClock();
  const { problem } = followPulses(file, 7, clock);
  expect(problem()).toBeUndefined();
  file.write('{"blocked":1}\n{"blocked":2}\n{"blo');
  await turn();
  await clock.advance(4_000);
  expect(problem()).toBeUndefined();
  await clock.advance(1_000);
  expect(problem()?.kind).toBe('silence');
  file.write('cked":3}\n');
  await turn();
  expect(problem()).toBeUndefined();
  file.destroy();
});

test('The reason of an end is kept even if another thread sends one more pulse', async () => {
  const file = new PassThrough();
  const pulses = followPulses(file, 7, createManualClock());
  const ended = { blocked: 0, ended: 'it is nested too deeply', statement: 'SELECT 1' };
  file.write(`${JSON.stringify(ended)}\n${JSON.stringify({ blocked: 4, runs: 4, statement: 'SELECT 1' })}\n`);
  file.write(`${JSON.stringify({ blocked: 1_004, runs: 1_004, statement: 'SELECT 1' })}\n`);
  file.end();
  expect(await pulses.last()).toEqual(ended);
});
