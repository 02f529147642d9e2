/** Prevents unit tests from opening sockets, even on the loopback interface. Tests with sockets are `*.live.test.ts` files. */
import { Server, Socket } from 'node:net';

const refuse = (): never => {
  throw new Error('A unit test opens no sockets: make it a *.live.test.ts.');
};
Server.prototype.listen = refuse;
Socket.prototype.connect = refuse;
