import { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Duplex } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { budget, type Closing, openConnections } from '../../../server/service/http/connections.ts';
import { pieceBudget } from '../../../server/service/http/pieces.ts';

interface FakeSocket extends Duplex {
  remoteAddress: string;
  bytesRead: number;
  /** Bytes of an answer that the client has not read. */
  unread: number;
}

function openTested(places: { readonly guestPlaces?: number; readonly idlePlaces?: number } = {}) {
  const closings: Closing[] = [];
  const connections = openConnections({ ...places, onClosing: (closing) => closings.push(closing) });
  const connect = (address = '10.0.0.1'): FakeSocket => {
    const socket = new Duplex({ read: () => {}, write: () => {} });
    const fake: FakeSocket = Object.assign(socket, { remoteAddress: address, bytesRead: 0, unread: 0 });
    Object.defineProperty(fake, 'writableLength', { get: () => fake.unread });
    connections.add(fake);
    return fake;
  };
  /** Sends a request. Returns whether it may be answered, and functions to answer it and to push its body. */
  const send = (socket: FakeSocket, headers: Record<string, string> = {}, path = '/') => {
    const pieces: (Buffer | null)[] = [];
    const push = (piece: Buffer | null): boolean => pieces.push(piece) > 0;
    const request = { socket, url: path, headers, rawHeaders: Object.entries(headers).flat(), push };
    const response = new EventEmitter();
    const isOpen = connections.begin(
      request as unknown as IncomingMessage,
      response as unknown as ServerResponse,
    );
    return {
      isOpen,
      answer: () => response.emit('close'),
      push: (text: string) => request.push(Buffer.from(text)),
      pieces,
    };
  };
  return { connections, closings, connect, send };
}

const chunked = { 'transfer-encoding': 'chunked' };

describe.each([
  ['a guest', undefined],
  ['a connection with a token', 'user ada'],
])('%s', (_, holder) => {
  function openOne() {
    const tested = openTested();
    const socket = tested.connect();
    if (holder !== undefined) tested.connections.admit(socket, holder);
    return { ...tested, socket };
  }

  test('may send a limited number of requests before the first is answered, and is closed at the next one (1, 4)', () => {
    const { socket, send, closings } = openOne();
    for (let count = 0; count < budget.requests; count += 1) expect(send(socket).isOpen).toBe(true);
    expect(send(socket).isOpen).toBe(false);
    expect([socket.destroyed, closings]).toEqual([true, ['over budget']]);
    expect(send(socket).isOpen).toBe(false);
    expect(closings).toHaveLength(1);
  });

  test('may send any number of requests, if they are answered (1)', () => {
    const { socket, send } = openOne();
    for (let count = 0; count < 1_000; count += 1) send(socket).answer();
    const waiting = Array.from({ length: budget.requests }, () => send(socket));
    for (const { answer } of waiting) {
      answer();
      expect(send(socket, { x: 'y'.repeat(1_000) }).isOpen).toBe(true);
    }
  });

  test('may have a limited size of waiting headers, not counting the request that is being answered (1)', () => {
    const { socket, send } = openOne();
    const half = { x: 'y'.repeat(budget.waitingHeaders / 2 - 2) };
    for (const isOpen of [true, true, true, false]) expect(send(socket, half).isOpen).toBe(isOpen);
  });

  test('may send a body in large pieces, but not in very many small ones (2)', () => {
    const { socket, send } = openOne();
    const large = send(socket, chunked);
    for (let count = 0; count < 2_000; count += 1) large.push('x'.repeat(pieceBudget.bytesPerPiece));
    expect([socket.destroyed, large.pieces.length]).toEqual([false, 2_000]);
    const small = send(socket, chunked);
    for (let count = 0; count < 10_000; count += 1) small.push('x');
    expect(socket.destroyed).toBe(true);
    expect(small.pieces.length).toBeLessThan(pieceBudget.pieces * 1.1);
  });

  test('must read its answer in time (3)', () => {
    const { socket, send, connections } = openOne();
    send(socket);
    socket.unread = 1_000;
    for (let second = 0; second < budget.unreadSeconds; second += 1) {
      expect(socket.destroyed).toBe(false);
      connections.look();
    }
    connections.look();
    expect(socket.destroyed).toBe(true);
  });

  test('may read its answer slowly, and need not read a stream at all (3)', () => {
    const { socket, send, connections } = openOne();
    const { answer } = send(socket);
    for (socket.unread = 1_000; socket.unread > 0; socket.unread -= 1) connections.look();
    answer();
    send(socket);
    connections.beginStream(socket);
    socket.unread = 1_000;
    for (let second = 0; second < 1_000; second += 1) connections.look();
    expect(socket.destroyed).toBe(false);
  });
});

test('Guests that need too much memory together are closed, the most expensive first (5)', () => {
  const { connect, send, connections, closings } = openTested();
  const holder = connect();
  connections.admit(holder, 'user ada');
  const cheap = connect();
  const all = Array.from({ length: 1_000 }, () => connect());
  const headers = { x: 'y'.repeat(40_000) };
  for (let count = 0; count < 30; count += 1) send(holder);
  for (let count = 0; count < 3; count += 1) send(cheap);
  for (const socket of all) for (let count = 0; count < 2; count += 1) send(socket, headers);
  const closed = all.filter(({ destroyed }) => destroyed).length;
  expect(closed).toBeGreaterThan(200);
  expect(closed).toBeLessThan(500);
  expect(closings).toHaveLength(closed);
  expect([holder.destroyed, cheap.destroyed]).toEqual([false, false]);
});

test('Incomplete headers also count (5)', () => {
  const { connect, connections } = openTested();
  const all = Array.from({ length: 1_000 }, () => connect());
  for (const socket of all) socket.bytesRead = 60_000;
  connections.look();
  const left = all.filter(({ destroyed }) => !destroyed).length;
  expect(left).toBeGreaterThan(400);
  expect(left).toBeLessThan(600);
});

test('Neither guests nor idle connections displace a request with a token (5, 6)', async () => {
  const { connect, send, connections, closings } = openTested({ guestPlaces: 3, idlePlaces: 2 });
  const busy = connect();
  connections.admit(busy, 'user ada');
  send(busy);
  const upgraded = connect();
  connections.beginStream(upgraded);
  connections.admit(upgraded, 'user ada');
  const idle = ['ada', 'ada', 'eve', 'ada'].map((name) => {
    const socket = connect();
    connections.admit(socket, `user ${name}`);
    send(socket).answer();
    return socket;
  });
  const guests = Array.from({ length: 10 }, () => connect());
  await expect.poll(() => guests.filter(({ destroyed }) => destroyed).length).toBe(7);
  expect([busy.destroyed, upgraded.destroyed]).toEqual([false, false]);
  expect(idle.map(({ destroyed }) => destroyed)).toEqual([true, true, false, false]);
  expect(guests.map(({ destroyed }) => destroyed)).toEqual([...Array(7).fill(true), false, false, false]);
  expect(closings).toEqual(Array(9).fill('displaced'));
});

test('When memory is short, guests, idle connections and unread streams are closed on request', () => {
  const { connect, send, connections, closings } = openTested();
  const open = {
    guest: connect(),
    idle: connect(),
    busy: connect(),
    reading: connect(),
    unread: connect(),
  };
  for (const name of ['idle', 'busy', 'reading', 'unread'] as const)
    connections.admit(open[name], `user ${name}`);
  send(open.idle).answer();
  for (const name of ['busy', 'reading', 'unread'] as const) send(open[name]);
  for (const name of ['reading', 'unread'] as const) connections.beginStream(open[name]);
  open.unread.unread = 1_000;
  for (let second = 0; second < 10; second += 1) connections.look();
  const newcomer = connect();
  const namesOpen = () => Object.entries(open).flatMap(([name, { destroyed }]) => (destroyed ? [] : name));
  expect([connections.shed('guests'), namesOpen()]).toEqual([1, ['idle', 'busy', 'reading', 'unread']]);
  expect([connections.shed('idle'), namesOpen()]).toEqual([1, ['busy', 'reading', 'unread']]);
  expect([connections.shed('unread'), namesOpen()]).toEqual([1, ['busy', 'reading']]);
  expect(newcomer.destroyed).toBe(false);
  expect(closings).toEqual(['displaced', 'displaced', 'displaced']);
});
