import { expect, test } from 'vitest';
import { eachInSlices, openSlices } from '../../../server/service/ground/slices.ts';

function start(most?: number) {
  let time = 0;
  const rounds: (() => void)[] = [];
  const done: string[] = [];
  const slices = openSlices({
    now: () => time,
    defer: (run) => rounds.push(run),
    ...(most !== undefined && { most }),
  });
  return {
    done,
    /** Adds a piece of work that takes this many milliseconds. */
    add: (name: string, takes: number, more = (): void => {}) =>
      slices.add(() => {
        time += takes;
        done.push(name);
        more();
      }),
    /** Runs a round, and returns the work that was done in it. */
    round: (): readonly string[] => {
      const before = done.length;
      for (const run of rounds.splice(0)) run();
      return done.slice(before);
    },
    giveWay: slices.giveWay,
    isIdle: () => rounds.length === 0,
  };
}

test('a round has a limited number of pieces of work, even if they take no time', () => {
  const { add, round, isIdle } = start(2);
  for (const name of ['a', 'b', 'c']) add(name, 0);
  expect([round(), round(), isIdle()]).toEqual([['a', 'b'], ['c'], true]);
});

test('work waits while newcomers arrive, but only for a limited number of rounds', () => {
  const { add, round, giveWay } = start();
  add('a', 2);
  add('b', 2);
  const roundWithNewcomer = (): readonly string[] => {
    giveWay(2);
    return round();
  };
  const rounds = Array.from({ length: 66 }, roundWithNewcomer);
  expect(rounds.flatMap((done, index) => done.map((name) => [name, index]))).toEqual([
    ['a', 32],
    ['b', 65],
  ]);
});

test('work does not wait for newcomers if more pieces wait than may', () => {
  const { add, round, giveWay } = start();
  for (const name of ['a', 'b', 'c']) add(name, 2);
  giveWay(2);
  expect(round()).toEqual(['a']);
  giveWay(2);
  expect(round()).toEqual([]);
});

test('work continues as soon as no more newcomers arrive', () => {
  const { add, round, giveWay } = start();
  add('a', 2);
  giveWay(1);
  expect([round(), round()]).toEqual([[], ['a']]);
});

test('work is done in the order of the requests, and a round starts nothing after a millisecond', () => {
  const { add, round, isIdle } = start();
  for (const name of ['a', 'b', 'c', 'd', 'e']) add(name, 0.4);
  add('long', 20);
  add('last', 0.1);
  expect([round(), round(), round(), isIdle()]).toEqual([
    ['a', 'b', 'c'],
    ['d', 'e', 'long'],
    ['last'],
    true,
  ]);
});

test('a round has one slice, even if work adds work', () => {
  const { add, round } = start();
  const again = (): void => add('again', 2, again);
  for (let count = 0; count < 5; count += 1) add('first', 2);
  again();
  expect(Array.from({ length: 10 }, () => round().length)).toEqual(Array.from({ length: 10 }, () => 1));
});

test('nothing is done immediately, and work that other work adds comes last', () => {
  const { done, add, round, isIdle } = start();
  add('a', 0.1, () => add('c', 0.1));
  add('b', 0.1);
  expect(done).toEqual([]);
  expect(round()).toEqual(['a', 'b', 'c']);
  expect(isIdle()).toBe(true);
  add('d', 0.1);
  expect(round()).toEqual(['d']);
});

test('each round handles some of very many items, and skips items that were removed meanwhile', async () => {
  const items = new Set(['a', 'b', 'c', 'd', 'e']);
  const done: string[] = [];
  let time = 0;
  const working = eachInSlices(
    items,
    (item) => {
      done.push(item);
      time += 0.6;
    },
    () => time,
  );
  expect(done).toEqual(['a', 'b']);
  items.delete('d');
  await working;
  expect(done).toEqual(['a', 'b', 'c', 'e']);
});
