import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { readInParts } from '../../../server/service/http/parts.ts';

/** Opens a socket without a connection. The test pushes the bytes that it receives. */
function open() {
  const socket = new Socket();
  // The socket reads nothing from the system.
  socket._read = () => {};
  const turns: (() => void)[] = [];
  readInParts(socket, { add: (work) => turns.push(work) });
  const received: number[] = [];
  let text = '';
  let hasEnded = false;
  socket.on('data', (part: Buffer) => {
    received.push(part.length);
    text += part.toString('latin1');
  });
  socket.on('end', () => {
    hasEnded = true;
  });
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  return {
    socket,
    received,
    text: () => text,
    hasEnded: () => hasEnded,
    settle,
    /** Runs one turn of the event loop. */
    turn: async () => {
      for (const run of turns.splice(0)) run();
      await settle();
    },
  };
}

const bytes = (length: number, letter = 'x') => Buffer.alloc(length, letter);

test('a short request arrives at once, and further bytes in parts, one in each turn', async () => {
  const { socket, received, settle, turn } = open();
  await settle();
  socket.push(bytes(100));
  socket.push(bytes(5_000));
  await settle();
  expect(received).toEqual([100]);
  await turn();
  expect(received).toEqual([100, 2_048]);
  await turn();
  expect(received).toEqual([100, 2_048, 2_048]);
  await turn();
  expect(received).toEqual([100, 2_048, 2_048, 904]);
});

test('everything arrives in order, including the end', async () => {
  const { socket, text, hasEnded, settle, turn } = open();
  await settle();
  for (const letter of ['a', 'b', 'c']) socket.push(bytes(5_000, letter));
  socket.push(null);
  expect(hasEnded()).toBe(false);
  for (let count = 0; count < 20; count += 1) await turn();
  expect(text()).toBe('a'.repeat(5_000) + 'b'.repeat(5_000) + 'c'.repeat(5_000));
  expect(hasEnded()).toBe(true);
});

test('a paused socket gets its parts one by one when it resumes', async () => {
  const { socket, received, settle, turn } = open();
  await settle();
  socket.push(bytes(5_000));
  await turn();
  socket.pause();
  for (let count = 0; count < 5; count += 1) await turn();
  expect(received).toEqual([2_048]);
  socket.resume();
  await settle();
  expect(received).toEqual([2_048]);
  await turn();
  await turn();
  expect(received).toEqual([2_048, 2_048, 904]);
});

test('nothing arrives after a socket was closed because of a part', async () => {
  const { socket, received, settle, turn } = open();
  await settle();
  socket.once('data', () => socket.destroy());
  socket.push(bytes(60_000));
  for (let count = 0; count < 5; count += 1) await turn();
  expect(received).toEqual([2_048]);
});
