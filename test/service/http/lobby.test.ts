import { expect, test } from 'vitest';
import { capReasons, createReasons } from '../../../server/service/ground/reasons.ts';
import { createLobby } from '../../../server/service/http/lobby.ts';

test('a full lobby drives out the one that has waited longest among the most crowded party', () => {
  const lobby = createLobby(3);
  const evicted: string[] = [];
  const enter = (name: string) => lobby.enter(name.slice(0, 1), () => evicted.push(name));
  for (const name of ['b1', 'a1', 'a2', 'a3', 'c1']) enter(name);
  expect(evicted).toEqual(['a1', 'a2']);
  expect(lobby.size).toBe(3);
});

test('whoever has left is not driven out, and leaves only once', () => {
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

test('twenty reasons are told and the others counted, without making their sentences', () => {
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

test('a reason that quotes a whole body is cut', () => {
  expect(JSON.stringify(capReasons(['x'.repeat(5_000_000)])).length).toBeLessThan(3_000);
});
