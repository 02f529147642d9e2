import { expect, test } from 'vitest';
import type { Diagnosis } from '../../../client/api/answers.ts';
import { ApiFailure, type FailureKind } from '../../../client/api/failure.ts';
import { shareDiagnosis } from '../../../client/vscode/sharedDiagnosis.ts';

/** Returns the effects of a question of the console, and its answer. */
async function share(ask: () => Promise<unknown>, learnMore = async () => {}): Promise<string[]> {
  const happened: string[] = [];
  let time = 0;
  const answer = shareDiagnosis(
    async () => {
      const value = await ask();
      time += 700;
      return { value, at: 5 };
    },
    {
      poller: {
        learn: (diagnosis: Diagnosis, took) =>
          happened.push(`learns that of ${diagnosis.at} after ${took} ms`),
        askNow: async () => {
          happened.push('asks');
          return { kind: 'unknown' };
        },
      },
      learnMore() {
        happened.push('asks for more');
        return learnMore();
      },
      now: () => time,
    },
  );
  await answer.then(
    ({ value }) => happened.push(`answers ${JSON.stringify(value)}`),
    (error) => happened.push(`fails: ${error.message}`),
  );
  return happened;
}

const fail = (kind: FailureKind) => () => Promise.reject(new ApiFailure(kind, kind));

test.each([
  {
    what: 'a diagnosis',
    ask: async () => ({ data: { connections: [] } }),
    expected: ['asks for more', 'learns that of 5 after 700 ms', 'answers {"data":{"connections":[]}}'],
  },
  { what: 'something else', ask: async () => 'half', expected: ['answers "half"'] },
  { what: 'a failure', ask: fail('slow'), expected: ['asks', 'fails: slow'] },
  { what: 'a cancelled question', ask: fail('cancelled'), expected: ['fails: cancelled'] },
])('the rest of the editor hears of $what', async ({ ask, expected }) => {
  expect(await share(ask)).toEqual(expected);
});

test('the console gets its answer although a further question of the editor fails', async () => {
  const happened = await share(async () => ({ data: { connections: [] } }), fail('lost'));
  expect(happened).toContain('answers {"data":{"connections":[]}}');
  expect(happened).toContain('asks');
});
