/** Attacks with request bodies: slow ones, ones in tiny pieces, and ones that cause much work. */
import { gzipSync } from 'node:zlib';
import { clientToken } from '../../support/clients/clientAuth.ts';
import {
  type Attack,
  type Attacking,
  crowd,
  exchange,
  flood,
  holdOpen,
  openSocket,
  outcome,
  post,
  postHead,
  type Target,
} from './attack.ts';

const tinyChunks = Buffer.from('1\r\n \r\n'.repeat(5_000));
const manySubscriptions = JSON.stringify({ streams: { subscriptions: Array(349_000).fill({}) } });

/** The number of subscriptions that the limit of values in a body allows. */
const mostSubscriptions = 4_500;

export const bodyAttacks = {
  amplification: {
    enough: 100,
    run: (target, attacking) =>
      crowd(40, attacking, () => exchange(target, post('/sync/stream', manySubscriptions), attacking)),
  },
  'amplification-with-token': {
    enough: 10,
    run: async (target, attacking) => {
      const token = await clientToken('user1');
      const request = post('/sync/stream', manySubscriptions, token);
      await crowd(1, attacking, () => exchange(target, request, attacking));
    },
  },
  'a-million-subscriptions': {
    enough: 10,
    run: async (target, attacking) => {
      const body = JSON.stringify({ streams: { subscriptions: Array(1_000_000).fill({}) } });
      const request = post('/sync/stream', body, await clientToken('user1'));
      await crowd(5, attacking, () => exchange(target, request, attacking));
    },
  },
  'subscriptions-of-one-token': {
    enough: 20,
    run: async (target, attacking) => {
      const subscriptions = Array.from({ length: mostSubscriptions }, (_, n) => ({
        stream: 'chosen',
        parameters: { list: `list ${n}` },
        override_priority: null,
      }));
      const body = JSON.stringify({ raw_data: true, streams: { subscriptions } });
      await syncAgain(target, body, attacking);
    },
  },
  'old-positions': {
    enough: 20,
    run: async (target, attacking) => {
      const old = Array.from({ length: 12_000 }, (_, n) => ({ name: `1#lists|${n}["x"]`, after: '0' }));
      await syncAgain(target, JSON.stringify({ raw_data: true, buckets: old }), attacking);
    },
  },
  'slow-bodies': {
    enough: 230,
    run: async (target, attacking) => {
      const token = await clientToken('user1');
      const crowdOf = (size: number, path: string, authorization?: string) =>
        crowd(size, attacking, async () => {
          const head = post(path, 'x'.repeat(100_000), authorization).slice(0, -99_999);
          await holdOpen(openSocket(target, head), attacking, (socket) => socket.write('x'));
        });
      await Promise.all([
        crowdOf(200, '/sync/stream'),
        crowdOf(30, '/api/admin/v1/diagnostics'),
        crowdOf(200, '/sync/stream', token),
      ]);
    },
  },
  'tiny-chunks': {
    enough: 20,
    run: (target, attacking) => crowd(10, attacking, () => sendChunks(target, attacking)),
  },
  'tiny-chunks-with-token': {
    enough: 20,
    run: async (target, attacking) => {
      const token = await clientToken('user1');
      await crowd(10, attacking, () => sendChunks(target, attacking, token));
    },
  },
  'compressed-bodies': {
    enough: 40,
    run: async (target, attacking) => {
      const token = await clientToken('user1');
      const body = gzipSync(Buffer.alloc(100 * 1024 * 1024, ' '));
      const head = `${postHead('/sync/stream', token)}Content-Encoding: gzip\r\nContent-Length: ${body.length}\r\n\r\n`;
      const request = Buffer.concat([Buffer.from(head), body]);
      await crowd(20, attacking, () => exchange(target, request, attacking));
    },
  },
} as const satisfies Record<string, Attack>;

function sendChunks(target: Target, attacking: Attacking, token?: string): Promise<void> {
  const head = `${postHead('/sync/stream', token)}Transfer-Encoding: chunked\r\n\r\n`;
  return flood(openSocket(target, head), tinyChunks, attacking);
}

/** Connects, disconnects as soon as a checkpoint or a refusal arrives, and connects again. */
async function syncAgain(target: Target, body: string, attacking: Attacking): Promise<void> {
  const request = post('/sync/stream', body, await clientToken('user1'));
  await crowd(10, attacking, async () => {
    const socket = openSocket(target, request);
    let text = '';
    const answered = new Promise<void>((resolve) => {
      socket.once('close', () => resolve());
      socket.on('data', (data) => {
        text = text.slice(-100) + data;
        if (/last_op_id|"error"|HTTP\/1.1 429/.test(text)) resolve();
      });
    });
    await outcome(answered, 60_000, attacking);
    socket.destroy();
  });
}
