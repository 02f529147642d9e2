import { Duplex } from 'node:stream';
import { expect, test } from 'vitest';
import { ClientConnection } from '../../../server/service/http/clientConnection.ts';
import { GuestMemory } from '../../../server/service/http/guestMemory.ts';

const mebibyte = 1024 * 1024;

/** Opens the memory of guests. All guests together may cost 32 MiB. */
function open() {
  const all = new Set<ClientConnection>();
  const closed: ClientConnection[] = [];
  const memory = new GuestMemory(all, (guest) => {
    memory.settle(guest);
    all.delete(guest);
    closed.push(guest);
  });
  const connect = (): ClientConnection => {
    const connection = new ClientConnection(new Duplex());
    all.add(connection);
    return connection;
  };
  return { memory, closed, connect };
}

test('guests are closed when their total cost exceeds the limit, the most expensive first (1)', () => {
  const { memory, closed, connect } = open();
  const [cheap, expensive] = [connect(), connect()];
  memory.charge(expensive, 20 * mebibyte);
  memory.charge(cheap, 12 * mebibyte);
  expect(closed).toEqual([]);
  memory.charge(cheap, 1);
  expect(closed).toEqual([expensive]);
  memory.charge(cheap, 20 * mebibyte - 1);
  expect(closed).toEqual([expensive]);
});

test('a guest costs nothing after its requests have been answered (2)', () => {
  const { memory, closed, connect } = open();
  const guest = connect();
  for (let count = 0; count < 100; count += 1) {
    memory.charge(guest, 30 * mebibyte);
    memory.settle(guest);
  }
  expect([closed, guest.cost]).toEqual([[], 0]);
});

test('a connection with a token does not count (2)', () => {
  const { memory, closed, connect } = open();
  const [guest, holder] = [connect(), connect()];
  memory.charge(holder, 30 * mebibyte);
  memory.settle(holder);
  holder.holder = 'user ada';
  memory.charge(holder, 100 * mebibyte);
  memory.settle(holder);
  memory.charge(guest, 32 * mebibyte);
  memory.look();
  expect(closed).toEqual([]);
  memory.charge(guest, 1);
  expect(closed).toEqual([guest]);
});
