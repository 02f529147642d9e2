/** Clients that read slowly, not at all, or leave in the middle. */
import { expect, test } from 'vitest';
import { type Syncing, startSyncing } from '../../support/clients/syncing.ts';
import type { SyncStream } from '../../support/clients/syncStream.ts';

const config =
  'config:\n  edition: 3\nstreams:\n  all:\n    auto_subscribe: true\n    query: SELECT * FROM lists\n';

/** The number of rows, which take some 30 MB. */
const rows = 3000;

async function start(): Promise<Syncing & { readonly reads: () => number }> {
  let reads = 0;
  const syncing = await startSyncing({
    through: (storage) => ({
      ...storage,
      reader: (deployment) => {
        const reader = storage.reader(deployment);
        return {
          ...reader,
          read: (at, from) => {
            reads += 1;
            return reader.read(at, from);
          },
        };
      },
    }),
  });
  const text = 'x'.repeat(10_000);
  syncing.source.commit((t) => {
    for (let i = 0; i < rows; i += 1) t.insert('lists', { id: `l${i}`, text });
  });
  await syncing.deploy(config);
  return { ...syncing, reads: () => reads };
}

/** Resolves when nothing has been read for some turns of the event loop. */
async function untilStill(reads: () => number): Promise<void> {
  for (let before = -1, still = 0; still < 50; still = reads() === before ? still + 1 : 0) {
    before = reads();
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

test('little is read ahead for a client that does not read, and everything is sent when it reads again', async () => {
  const { stream: open, reads } = await start();
  const stream = await open();
  stream.pause();
  await untilStill(reads);
  const ahead = reads();
  stream.resume();
  await stream.until(({ client }) => client.rows.size === rows);
  // The buffers of the sockets on both sides also hold some megabytes that were read ahead.
  expect(ahead).toBeLessThan(reads() / 2);
  expect(reads()).toBeGreaterThan(25);
});

test('a client that disconnects in the middle is forgotten, and nothing more is read for it', async () => {
  const { stream: open, reads, sync, replicating } = await start();
  const stream = await open();
  stream.pause();
  await untilStill(reads);
  expect(sync.clients.size).toBe(1);
  stream.close();
  await replicating.until(() => sync.clients.size === 0, 'it is forgotten');
  const before = reads();
  await untilStill(reads);
  expect(reads()).toBe(before);
});

test('changes that arrive while a client is busy are merged', async () => {
  const { stream: open, source, replicating, reads } = await start();
  const stream = await open();
  stream.pause();
  await untilStill(reads);
  for (let i = 0; i < 50; i += 1) {
    await replicating.reach(source.commit((t) => t.update('lists', 'l1', { text: `${i}` })));
  }
  stream.resume();
  await stream.until(({ client }) => client.rows.get('lists/l1')?.includes('"49"') === true);
  const told = stream.lines.filter((line) => 'checkpoint_diff' in line).length;
  expect(told).toBeLessThan(10);
});

test('a client that does not read delays no others, is sent no more than it can receive, and gets the newest rows', async () => {
  const { stream: open, source, deploy, replicating } = await startSyncing();
  source.commit((t) => t.insert('lists', { id: 'l1', text: 'before' }));
  await deploy(config);
  const streams = await Promise.all(Array.from({ length: 5 }, () => open()));
  const [slow, ...quick] = streams as [SyncStream, ...SyncStream[]];
  for (const stream of streams) await stream.until(({ completed }) => completed.length > 0);
  slow.pause();
  // Far more than fits into the buffers of the sockets.
  const changes = 120;
  const large = 'x'.repeat(300_000);
  const has = (text: string) => (stream: SyncStream) =>
    stream.client.rows.get('lists/l1')?.includes(text) === true;
  for (let i = 1; i <= changes; i += 1) {
    await replicating.reach(source.commit((t) => t.update('lists', 'l1', { text: `change ${i}. ${large}` })));
    await Promise.all(quick.map((stream) => stream.until(has(`change ${i}.`))));
  }
  slow.resume();
  await slow.until(has(`change ${changes}.`));
  expect(slow.lines.filter((line) => 'checkpoint_diff' in line).length).toBeLessThan(changes * 0.9);
});

test('a change for many clients that also have their own buckets is not sent to all of them in one turn', async () => {
  const { stream: open, source, deploy, metrics } = await startSyncing();
  source.commit((t) => t.insert('lists', { id: 'l1', text: 'before' }));
  await deploy(
    `${config}  own:\n    auto_subscribe: true\n    query: SELECT * FROM todos WHERE owner = auth.user_id()\n`,
  );
  const clients = 150;
  const streams = await Promise.all(Array.from({ length: clients }, (_, n) => open({ token: `user${n}` })));
  for (const stream of streams) await stream.until(({ completed }) => completed.length > 0);
  const sent = (): number => metrics.get('powersync_operations_synced_total') ?? 0;
  const before = sent();
  let most = 0;
  source.commit((t) => t.update('lists', 'l1', { text: 'after' }));
  for (let last = before; last < before + clients; last = sent()) {
    await new Promise((resolve) => setImmediate(resolve));
    most = Math.max(most, sent() - last);
  }
  expect(most).toBeLessThan(clients / 2);
  for (const stream of streams) await stream.until(({ completed }) => completed.length > 1);
});
