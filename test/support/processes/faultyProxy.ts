/** A proxy between a service and its PostgreSQL, which simulates the failures of a network. It does not support TLS. */
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

export type Mode =
  | 'pass'
  /** No bytes arrive any more, without an error. The connection can never pass bytes again. */
  | 'swallow'
  /** No bytes arrive until the mode changes. Then all bytes arrive, as if TCP had sent them again. */
  | 'hold'
  /** Like `hold`, beginning with the first message of the client that contains this text. */
  | { readonly holdAt: string }
  | 'close'
  /** Notifications do not arrive, as with a pooler that runs each transaction in another session. */
  | 'mute'
  /** All bytes arrive later by this number of milliseconds. */
  | { readonly delay: number };

export interface FaultyProxy {
  readonly port: number;
  /** Sets the mode of all connections, including later ones. */
  set(mode: Mode): void;
  /** Sets the mode of the present connections that have sent a matching text. Returns their number. */
  setPresent(mode: Mode, sent?: RegExp): number;
  close(): Promise<void>;
}

/** The number of characters to keep from the first messages of a connection. Tests recognise a connection by them. */
const remembered = 20_000;

export async function startFaultyProxy(target: number): Promise<FaultyProxy> {
  const connections = new Set<ProxiedConnection>();
  let modeOfNew: Mode = 'pass';
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    const connection = openConnection(client, target, modeOfNew, () => connections.delete(connection));
    connections.add(connection);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  return {
    port,
    set: (mode) => {
      modeOfNew = mode;
      for (const connection of connections) connection.set(mode);
    },
    setPresent: (mode, sent = /(?:)/) => {
      const found = [...connections].filter((connection) => sent.test(connection.sent()));
      for (const connection of found) connection.set(mode);
      return found.length;
    },
    close: async () => {
      server.close();
      for (const connection of connections) connection.set('close');
      await once(server, 'close');
    },
  };
}

interface ProxiedConnection {
  set(mode: Mode): void;
  sent(): string;
}

function openConnection(client: Socket, target: number, first: Mode, onEnd: () => void): ProxiedConnection {
  const server = connect({ port: target, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
  let mode: Mode = first;
  let sent = '';
  let held: (() => void)[] = [];
  const frames = openFrames();

  const deliver = (act: () => void): void => {
    if (mode === 'swallow') return;
    if (mode === 'hold' || held.length > 0) held.push(act);
    else if (typeof mode === 'object' && 'delay' in mode)
      setTimeout(() => mode !== 'swallow' && act(), mode.delay);
    else act();
  };
  const end = (): void => {
    client.destroy();
    server.destroy();
    onEnd();
  };
  const carry = (from: Socket, to: Socket, pick: (bytes: Buffer) => Buffer): void => {
    from.on('data', (bytes) => {
      const picked = pick(bytes);
      deliver(() => to.write(picked));
    });
    from.on('end', () => deliver(() => to.end()));
    from.on('error', () => deliver(end));
    from.on('close', () => deliver(end));
  };
  carry(client, server, (bytes) => {
    if (typeof mode === 'object' && 'holdAt' in mode && bytes.includes(mode.holdAt)) mode = 'hold';
    if (sent.length < remembered) sent += bytes.toString('latin1');
    return bytes;
  });
  carry(server, client, (bytes) => {
    const all = frames(bytes);
    if (mode !== 'mute') return bytes;
    return Buffer.concat(all.filter(({ tag }) => tag !== notification).map((frame) => frame.bytes));
  });
  const set = (next: Mode): void => {
    // Lost bytes never arrive, so the connection cannot recover.
    if (mode === 'swallow' && next !== 'close') return;
    mode = next;
    if (next === 'swallow') held = [];
    if (next === 'close') end();
    else if (next !== 'hold') for (const act of held.splice(0)) act();
  };
  return { set, sent: () => sent };
}

const notification = 'A'.charCodeAt(0);

interface Frame {
  readonly tag: number;
  readonly bytes: Buffer;
}

/** Splits bytes into messages of the server. A message begins with a letter and a length, which includes the length itself. */
function openFrames(): (bytes: Buffer) => readonly Frame[] {
  let rest = Buffer.alloc(0);
  return (bytes) => {
    rest = Buffer.concat([rest, bytes]);
    const found: Frame[] = [];
    while (rest.length >= 5) {
      const length = 1 + rest.readUInt32BE(1);
      if (rest.length < length) break;
      found.push({ tag: rest[0] as number, bytes: rest.subarray(0, length) });
      rest = rest.subarray(length);
    }
    return found;
  };
}
