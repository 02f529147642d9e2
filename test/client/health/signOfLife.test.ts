import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Diagnosis } from '../../../client/api/answers.ts';
import { ApiFailure } from '../../../client/api/failure.ts';
import { pollEvery } from '../../../client/health/health.ts';
import { diagnoseInTime } from '../../../client/health/signOfLife.ts';

const diagnosis: Diagnosis = { at: 0, sources: [] };

/** An answer that arrives when the test says so. */
function openAnswer<Value>() {
  let resolve = (_: Value): void => {};
  let reject = (_: Error): void => {};
  const promise = new Promise<Value>((...settle) => {
    [resolve, reject] = settle;
  });
  return { promise, resolve: (value: Value) => resolve(value), reject: (error: Error) => reject(error) };
}

/** A service whose answers arrive when the test says so. */
function openService() {
  const report = openAnswer<Diagnosis>();
  const sign = openAnswer<void>();
  const signals: AbortSignal[] = [];
  const limits: number[] = [];
  const asked = diagnoseInTime(
    {
      diagnose: (_, signal) => {
        if (signal !== undefined) signals.push(signal);
        return report.promise;
      },
      signOfLife: (limit, signal) => {
        limits.push(limit);
        if (signal !== undefined) signals.push(signal);
        return sign.promise;
      },
    },
    {},
  );
  return { report, sign, signals, limits, asked };
}

const slow = new ApiFailure('slow', 'local did not answer within 5 s.');

test('A service that answers nothing for the interval of a poll is given up, and both calls end', async () => {
  const { sign, signals, limits, asked } = openService();
  expect(limits).toEqual([pollEvery]);
  sign.reject(slow);
  await expect(asked).rejects.toBe(slow);
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, true]);
});

test('A slow service that gives a sign of life is waited for', async () => {
  const { report, sign, asked } = openService();
  sign.resolve();
  await turn();
  report.resolve(diagnosis);
  expect(await asked).toBe(diagnosis);
});

test('A service without probes is waited for, because a refusal is an answer', async () => {
  const { report, sign, asked } = openService();
  sign.reject(new ApiFailure('lost', 'The connection was lost.'));
  await turn();
  report.resolve(diagnosis);
  expect(await asked).toBe(diagnosis);
});

test('A failure of the call itself is reported at once', async () => {
  const { report, asked } = openService();
  const failure = new ApiFailure('unreachable', 'Nothing listens there.');
  report.reject(failure);
  await expect(asked).rejects.toBe(failure);
});
