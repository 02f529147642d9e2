import { expect, test } from 'vitest';
import { toAnswer, type Work } from '../../../server/service/postgres/answers.ts';

test.each<[Work, string | null, string | null, string]>([
  ['statement', 'active', null, 'working'],
  ['statement', 'active', 'DataFileRead', 'working'],
  ['statement', 'active', 'ClientRead', 'idle'],
  ['statement', 'active', 'ClientWrite', 'idle'],
  ['statement', 'idle', 'ClientRead', 'idle'],
  ['statement', 'idle in transaction', 'ClientRead', 'idle'],
  ['statement', null, null, 'unknown'],
  // The process waits for older transactions to end. Servers before version 14 do not report this wait.
  ['command', 'idle', 'WalSenderWaitForWAL', 'working'],
  ['stream', 'active', 'WalSenderMain', 'idle'],
  ['stream', 'active', 'WalSenderWriteData', 'idle'],
  ['stream', 'active', 'WalSenderWaitForWal', 'idle'],
  ['stream', 'active', null, 'working'],
  ['stream', 'active', 'ReorderBufferRead', 'working'],
])('for a %s, a process that is %s and waits for %s counts as %s', (work, state, event, answer) => {
  expect(toAnswer({ state, wait_event: event }, work)).toBe(answer);
});

test('a process that the server does not list is gone', () => {
  expect(toAnswer(undefined, 'statement')).toBe('gone');
});
