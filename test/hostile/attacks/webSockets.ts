/** Attacks over WebSocket, before and after the service knows the token. */
import type { WebSocket } from 'ws';
import { randomOf } from '../../consistency/random.ts';
import { clientToken } from '../../support/clients/clientAuth.ts';
import { keepaliveFrame, requestFrame, setupFrame } from '../frames.ts';
import {
  type Attack,
  type Attacking,
  aborted,
  closeOf,
  crowd,
  openWebSocket,
  pause,
  type Target,
} from './attack.ts';
import { mutated } from './requests.ts';

export const webSocketAttacks = {
  'keepalives-without-setup': {
    enough: 20,
    run: (target, attacking) =>
      crowd(6, attacking, async () => {
        const socket = await openWebSocket(target);
        socket.pause();
        await sendUntilClosed(socket, () => socket.send(keepaliveFrame(1024 * 1024 - 14)), attacking);
      }),
  },
  'keepalives-with-token': {
    enough: 10,
    run: async (target, attacking) => {
      const token = await clientToken('user1');
      await crowd(6, attacking, async () => {
        const socket = await openPaused(target, token);
        await sendUntilClosed(socket, () => socket.send(keepaliveFrame(1000)), attacking);
      });
    },
  },
  pings: {
    enough: 6,
    run: async (target, attacking) => {
      const token = await clientToken('user1');
      await crowd(6, attacking, async () => {
        const socket = await openPaused(target, token);
        await sendUntilClosed(socket, () => socket.ping(Buffer.alloc(125)), attacking);
      });
    },
  },
  'sockets-without-setup': {
    enough: 1_200,
    run: (target, attacking) =>
      crowd(1_200, attacking, async () => {
        const socket = await openWebSocket(target);
        await Promise.race([closeOf(socket), aborted(attacking.signal)]);
        socket.terminate();
      }),
  },
  'mutated-frames': {
    enough: 100,
    run: async (target, attacking) => {
      const random = randomOf(target.seed);
      const token = await clientToken('user1');
      await crowd(10, attacking, async () => {
        const socket = await openWebSocket(target);
        const frames = [setupFrame(token), requestFrame(10), keepaliveFrame(0), requestFrame(1)];
        for (const frame of frames) socket.send(random.below(2) === 0 ? frame : mutated(frame, random));
        await Promise.race([closeOf(socket), pause(50)]);
        socket.terminate();
      });
    },
  },
  'one-byte-frames': {
    enough: 20,
    run: async (target, attacking) => {
      const token = await clientToken('user1');
      const send = (socket: WebSocket) => () => socket.send(Buffer.alloc(1), { fin: false });
      await Promise.all([
        crowd(5, attacking, async () => {
          const socket = await openWebSocket(target);
          await sendUntilClosed(socket, send(socket), attacking);
        }),
        crowd(5, attacking, async () => {
          const socket = await openPaused(target, token);
          await sendUntilClosed(socket, send(socket), attacking);
        }),
      ]);
    },
  },
  'huge-tokens-in-setups': {
    enough: 40,
    run: (target, attacking) =>
      crowd(20, attacking, async () => {
        const socket = await openWebSocket(target);
        socket.send(setupFrame(`e30.${'x'.repeat(1024 * 1024)}.x`));
        await Promise.race([closeOf(socket), aborted(attacking.signal)]);
        socket.terminate();
      }),
  },
} as const satisfies Record<string, Attack>;

async function openPaused(target: Target, token: string): Promise<WebSocket> {
  const socket = await openWebSocket(target);
  socket.send(setupFrame(token));
  socket.pause();
  return socket;
}

/** Sends as fast as the service takes it. After 10 s, gives up: a socket that is not read does not notice that it was closed. */
async function sendUntilClosed(socket: WebSocket, send: () => void, attacking: Attacking): Promise<void> {
  const end = Date.now() + 10_000;
  while (socket.readyState === socket.OPEN && !attacking.signal.aborted && Date.now() < end) {
    if (socket.bufferedAmount < 8 * 1024 * 1024) for (let i = 0; i < 20; i += 1) send();
    await pause(1);
  }
  socket.terminate();
}
