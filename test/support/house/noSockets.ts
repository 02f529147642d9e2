/** Unit tests open no sockets, not even on the loopback: what needs one is a `*.live.test.ts`. */
import { Server, Socket } from 'node:net';

const refuse = (): never => {
  throw new Error('A unit test opens no sockets: make it a *.live.test.ts.');
};
Server.prototype.listen = refuse;
Socket.prototype.connect = refuse;
