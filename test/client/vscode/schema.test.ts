import { expect, test } from 'vitest';
import type { Diagnosis } from '../../../client/api/answers.ts';
import type { Api } from '../../../client/api/api.ts';
import { keepSchema } from '../../../client/vscode/schema.ts';
import type { Target } from '../../../client/vscode/targets/target.ts';

function start() {
  const told: unknown[] = [];
  let started = (): void => {};
  let time = 0;
  let asked = 0;
  const language = {
    ask: async (_: string, params: unknown) => {
      told.push((params as { forecast: unknown }).forecast);
      return undefined as never;
    },
    answer: () => {},
    onDidStart: (listener: () => void) => {
      started = listener;
      return { dispose() {} };
    },
  };
  const schema = keepSchema(language, () => time);
  const learn = (kind: string, slot: string | undefined, answer: 'answers' | 'refuses' = 'answers') => {
    const api = {
      forecast: async () => {
        asked += 1;
        if (answer === 'refuses') throw new Error('404');
        return `forecast ${asked}`;
      },
    };
    return schema.learnLimits(
      api as unknown as Api,
      { id: kind, kind } as unknown as Target,
      (slot === undefined ? {} : { active: { slot } }) as Diagnosis,
    );
  };
  return { told, learn, restart: () => started(), pass: (minutes: number) => (time += minutes * 60_000) };
}

test('the local service is asked for a forecast again after some minutes, and at once after a deploy', async () => {
  const { told, learn, pass, restart } = start();
  await learn('local', 'one');
  await learn('local', 'one');
  expect(told).toEqual(['forecast 1']);
  await learn('local', 'two');
  pass(6);
  await learn('local', 'two');
  expect(told).toEqual(['forecast 1', 'forecast 2', 'forecast 3']);
  restart();
  expect(told).toHaveLength(4);
});

test('another service is asked once for each deployment, even if it refuses', async () => {
  const { told, learn, pass } = start();
  await learn('other', 'one');
  pass(600);
  await learn('other', 'one');
  expect(told).toEqual(['forecast 1']);
  await learn('third', 'one', 'refuses');
  pass(600);
  await learn('third', 'one', 'refuses');
  await learn('third', undefined);
  expect(told).toEqual(['forecast 1', null, null]);
});
