import { expect, test } from 'vitest';
import { capReasons, createReasons } from '../../../server/service/ground/reasons.ts';
import { createLobby } from '../../../server/service/http/lobby.ts';

test('a full lobby evicts the member of the largest party that has waited longest', () => {
  const lobby = createLobby(3);
  const evicted: string[] = [];
  const enter = (name: string) => lobby.enter(name.slice(0, 1), () => evicted.push(name));
  for (const name of ['b1', 'a1', 'a2', 'a3', 'c1']) enter(name);
  expect(evicted).toEqual(['a1', 'a2']);
  expect(lobby.size).toBe(3);
});

test('a member that has left is not evicted, and leaves only once', () => {
  const lobby = createLobby(2);
  const evicted: string[] = [];
  const leave = lobby.enter('a', () => evicted.push('a1'));
  lobby.enter('a', () => evicted.push('a2'));
  leave();
  leave();
  expect(lobby.size).toBe(1);
  lobby.enter('b', () => evicted.push('b1'));
  expect(evicted).toEqual([]);
  lobby.enter('b', () => evicted.push('b2'));
  expect(evicted).toHaveLength(1);
});

test('twenty reasons are listed and the others are only counted, without building their sentences', () => {
  let made = 0;
  const reasons = createReasons();
  for (let i = 0; i < 300_000; i += 1)
    reasons.add(() => {
      made += 1;
      return `reason ${i}`;
    });
  expect(made).toBe(20);
  expect(reasons.list().slice(-2)).toEqual(['reason 19', 'and 299980 more.']);
});

test('a reason that quotes an entire body is shortened', () => {
  expect(JSON.stringify(capReasons(['x'.repeat(5_000_000)])).length).toBeLessThan(3_000);
});
