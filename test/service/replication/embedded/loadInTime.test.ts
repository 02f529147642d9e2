import { expect, test } from 'vitest';
import type { Answer } from '../../../../server/service/replication/embedded/database/protocol.ts';
import { DatabaseEnd } from '../../../../server/service/replication/embedded/databaseEnd.ts';
import { usualLimits } from '../../../../server/service/replication/embedded/limits.ts';
import type { StatementPlace } from '../../../../server/service/replication/embedded/loading/places.ts';
import {
  FatalStatement,
  openFatalStatements,
} from '../../../../server/service/replication/embedded/scripts/fatalStatements.ts';
import { loadInTime } from '../../../../server/service/replication/embedded/scripts/loadInTime.ts';
import { createManualClock } from '../../../support/service/manualClock.ts';

const second = 1_000;
const longestStatement = usualLimits.script;

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
  const script = { name: 'a.sql', text: 'SELECT 1;\nSELECT 2;\n', hash: '', kind: 'schema' } as const;
  const result = loadInTime({
    request: { scripts: [script], includes: [] },
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
    fail: (error: Error) => fail(error),
    answer,
  };
}

test('a statement that takes too long ends with the process, and is named', async () => {
  const { clock, result, begin, kills } = startLoading();
  begin(10);
  await clock.advance(longestStatement + 2 * second);
  const failure = await result;
  expect(failure).toBeInstanceOf(FatalStatement);
  expect(failure).toMatchObject({
    place: { script: 'a.sql', start: 10, reason: 'timeout' },
    message: expect.stringContaining('a.sql:2'),
  });
  expect(kills()).toBe(1);
});

test('a statement that ends the process is named, and certain only if the process says so', async () => {
  const places = [];
  const ends = [
    { kind: 'statement', reason: 'it calls itself', statement: 'SELECT f()' },
    { kind: 'unknown', exit: 'SIGKILL' },
  ] as const;
  for (const circumstances of ends) {
    const { result, begin, fail } = startLoading();
    begin(0);
    fail(new DatabaseEnd(circumstances));
    places.push(await result);
  }
  expect(places).toMatchObject([
    { place: { script: 'a.sql', start: 0, reason: 'ended' }, isCertain: true },
    { isCertain: false },
  ]);
});

test('a process that ends before any statement names none', async () => {
  const { result, fail } = startLoading();
  const end = new DatabaseEnd({ kind: 'unknown', exit: 'SIGKILL' });
  fail(end);
  expect(await result).toBe(end);
});

test('an uncertain statement is left out only when the process ends with it again', () => {
  const fatal = openFatalStatements();
  const statement = (start: number, isCertain: boolean) =>
    new FatalStatement('', { script: 'a.sql', start, reason: 'ended' }, isCertain);
  fatal.add(statement(0, false));
  fatal.add(statement(1, true));
  expect(fatal.places.map(({ start }) => start)).toEqual([1]);
  fatal.add(statement(0, false));
  expect(fatal.places.map(({ start }) => start)).toEqual([1, 0]);
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
