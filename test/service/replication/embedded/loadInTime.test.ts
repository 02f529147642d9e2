import { expect, test } from 'vitest';
import type {
  Answer,
  StatementPlace,
} from '../../../../server/service/replication/embedded/database/protocol.ts';
import {
  EndlessStatement,
  loadInTime,
  longestStatement,
} from '../../../../server/service/replication/embedded/scripts/loadInTime.ts';
import { createManualClock } from '../../../support/service/manualClock.ts';

const second = 1_000;

/** A process that says which statement begins, and answers on request, or fails when it is killed. */
function startLoading() {
  const clock = createManualClock();
  let finish: (answer: Answer) => void = () => {};
  let fail: (error: Error) => void = () => {};
  const done = new Promise<Answer>((resolve, reject) => {
    finish = resolve;
    fail = reject;
  });
  let begins: (place: StatementPlace) => void = () => {};
  let kills = 0;
  const result = loadInTime({
    answer: (begun) => {
      begins = begun;
      return done;
    },
    kill: async () => {
      kills += 1;
      fail(new Error('The process has ended.'));
    },
    clock,
    longest: longestStatement,
  }).catch((error: unknown) => error);
  const answer: Answer = { rows: [], columns: [], turns: 0 };
  return {
    clock,
    longest: longestStatement,
    result,
    kills: () => kills,
    begin: (start: number) => begins({ script: 'a.sql', start }),
    finish: () => finish(answer),
    answer,
  };
}

test('a statement that takes too long ends with the process, and is named', async () => {
  const { clock, result, begin, kills } = startLoading();
  begin(7);
  await clock.advance(longestStatement + 2 * second);
  const failure = await result;
  expect(failure).toBeInstanceOf(EndlessStatement);
  expect(failure).toMatchObject({ place: { script: 'a.sql', start: 7 } });
  expect(kills()).toBe(1);
});

test('many statements may take as long as they need', async () => {
  const { clock, result, begin, finish, answer, kills } = startLoading();
  for (let start = 0; start < 10; start += 1) {
    begin(start);
    await clock.advance(longestStatement - second);
  }
  finish();
  expect(await result).toBe(answer);
  await clock.advance(10 * longestStatement);
  expect(kills()).toBe(0);
});

test('waiting for its turn costs nothing', async () => {
  const { clock, result, finish, answer } = startLoading();
  await clock.advance(10 * longestStatement);
  finish();
  expect(await result).toBe(answer);
});
