import { expect, test } from 'vitest';
import type { LogPosition } from '../../../server/service/ground/logPosition.ts';
import { toLsn } from '../../../server/service/replication/postgres/lsn.ts';
import { SourceFailure } from '../../../server/service/replication/source.ts';
import { userPartOf, writeCheckpointKey } from '../../../server/service/storage/writeCheckpointKeys.ts';
import { openWriteCheckpointFeed } from '../../../server/service/sync/writeCheckpoints.ts';
import { type Syncing, startSyncing } from '../../support/clients/syncing.ts';
import type { SyncStream } from '../../support/clients/syncStream.ts';
import { ask } from '../../support/processes/http.ts';
import { createManualClock } from '../../support/service/manualClock.ts';

const config =
  'config:\n  edition: 3\nstreams:\n  all:\n    auto_subscribe: true\n    query: SELECT * FROM lists\n';

const headers = { authorization: 'Token user1', 'content-type': 'application/json' };
const completions = ({ lines }: SyncStream) => lines.filter((line) => 'checkpoint_complete' in line).length;

const create = ({ server }: Syncing, query = '?client_id=c1') =>
  ask(server, { path: `/write-checkpoint2.json${query}`, headers });
const request = ({ server }: Syncing, body: object) =>
  ask(server, { method: 'POST', path: '/sync/checkpoint-request', headers, body: JSON.stringify(body) });

test('each call returns the next number of its client', async () => {
  const syncing = await startSyncing({ config });
  expect((await create(syncing)).json).toEqual({ data: { write_checkpoint: '1' } });
  expect((await create(syncing)).json).toEqual({ data: { write_checkpoint: '2' } });
  expect((await create(syncing, '?client_id=c2')).json).toEqual({ data: { write_checkpoint: '1' } });
  expect((await create(syncing, '')).json).toEqual({ data: { write_checkpoint: '1' } });
});

test('a number reaches its client even if nothing else happens in the source', async () => {
  const syncing = await startSyncing({ config });
  const stream = await syncing.stream({ body: { raw_data: true, client_id: 'c1' } });
  await stream.until(() => completions(stream) === 1);
  await create(syncing);
  await stream.until(({ client }) => client.writeCheckpoint === '1');
  expect(stream.lines.at(-2)).toEqual({
    checkpoint_diff: {
      last_op_id: expect.any(String),
      write_checkpoint: '1',
      removed_buckets: [],
      updated_buckets: [],
    },
  });
});

test('a number is repeated in each later diff, and sent to a client that connects again', async () => {
  const syncing = await startSyncing({ config });
  const body = { raw_data: true, client_id: 'c1' };
  const stream = await syncing.stream({ body });
  await create(syncing);
  await stream.until(({ client }) => client.writeCheckpoint === '1');
  syncing.source.commit((t) => t.insert('lists', { id: 'l1' }));
  await stream.until(({ client }) => client.rows.size === 1);
  expect(stream.lines.findLast((line) => 'checkpoint_diff' in line)?.checkpoint_diff).toMatchObject({
    write_checkpoint: '1',
  });
  const again = await syncing.stream({ body });
  await again.until(({ client }) => client.writeCheckpoint === '1');
});

test('the numbers of other clients are not sent', async () => {
  const syncing = await startSyncing({ config });
  const stream = await syncing.stream({ body: { raw_data: true, client_id: 'c2' } });
  await stream.until(() => completions(stream) === 1);
  await create(syncing);
  syncing.source.commit((t) => t.insert('lists', { id: 'l1' }));
  await stream.until(({ client }) => client.rows.size === 1);
  expect(stream.client.writeCheckpoint).toBeUndefined();
});

test('a number does not arrive before the rows that were committed before its request', async () => {
  const syncing = await startSyncing({ config });
  const stream = await syncing.stream({ body: { raw_data: true, client_id: 'c1' } });
  await stream.until(() => completions(stream) === 1);
  for (let i = 1; i <= 20; i += 1) {
    syncing.source.commit((t) => t.insert('lists', { id: `l${i}` }));
    void create(syncing);
    await stream.until(({ client }) => client.writeCheckpoint === String(i));
    expect(stream.client.rows.size).toBe(i);
  }
});

test('requests that arrive while the source is being asked share the next question and its mark', async () => {
  const positions: ((position: LogPosition) => void)[] = [];
  let marks = 0;
  const { create: createOne } = openWriteCheckpointFeed({
    store: {
      create: async (key) => BigInt(key.length),
      request: async (_, id) => ({ id, needsMark: false }),
      reached: async () => undefined,
      reachedAmong: async () => new Map(),
    },
    source: async () => ({
      position: () => new Promise((resolve) => positions.push(resolve)),
      mark: async () => {
        marks += 1;
      },
    }),
    feed: { watch: () => () => {} },
    clock: createManualClock(),
  });
  const first = createOne('a');
  await expect.poll(() => positions.length).toBe(1);
  const others = Promise.all([createOne('bb'), createOne('ccc')]);
  positions[0]?.(toLsn(1n));
  expect(await first).toBe(1n);
  await expect.poll(() => positions.length).toBe(2);
  positions[1]?.(toLsn(2n));
  expect(await others).toEqual([2n, 3n]);
  expect(marks).toBe(2);
});

test('an unreachable source fails only the requests of that time', async () => {
  const syncing = await startSyncing({ config });
  syncing.source.outage = new SourceFailure('unreachable', 'SVC_S1121', 'The source does not answer.');
  expect((await create(syncing)).status).toBe(500);
  syncing.source.outage = undefined;
  expect((await create(syncing)).json).toEqual({ data: { write_checkpoint: '1' } });
});

test('a number that the client chooses is sent back, and a lower request returns the stored number', async () => {
  const syncing = await startSyncing({ config });
  const stream = await syncing.stream({ body: { raw_data: true, client_id: 'c1' } });
  const asked = await request(syncing, { client_id: 'c1', checkpoint_request_id: '77' });
  expect(asked.json).toEqual({ data: { checkpoint_request_id: '77' } });
  await stream.until(({ client }) => client.writeCheckpoint === '77');
  const lower = await request(syncing, { client_id: 'c1', checkpoint_request_id: 5 });
  expect(lower.json).toEqual({ data: { checkpoint_request_id: '77' } });
});

test.each([
  [{ client_id: 'c1', checkpoint_request_id: '0' }, /from 1 to 9223372036854775807/],
  [{ client_id: 'c1', checkpoint_request_id: '9223372036854775808' }, /from 1 to/],
  [{ client_id: 'c1', checkpoint_request_id: 1.5 }, /whole number/],
  [{ client_id: 'c1' }, /checkpoint_request_id/],
  [{ checkpoint_request_id: '1' }, /client_id is missing/],
])('the request %j is not valid', async (body, problem) => {
  const { status, json } = await request(await startSyncing({ config }), body);
  expect(status).toBe(400);
  expect(json).toMatchObject({ error: { code: 'SVC_S2001', details: expect.stringMatching(problem) } });
});

test('numbers are refused without an active config', async () => {
  const { status, json } = await create(await startSyncing());
  expect(status).toBe(500);
  expect(json).toMatchObject({ error: { code: 'SVC_S2302' } });
});

test('numbers are refused without a token', async () => {
  const { server } = await startSyncing({ config });
  expect((await ask(server, { path: '/write-checkpoint2.json' })).status).toBe(401);
});

test('clients of old wait until replication has reached the present state', async () => {
  const syncing = await startSyncing({ config });
  syncing.source.commit((t) => t.insert('lists', { id: 'l1' }));
  const { json } = await ask(syncing.server, { path: '/write-checkpoint.json', headers });
  const [record] = await syncing.storage.deployments.all();
  expect(json).toEqual({ data: { checkpoint: String(record?.lastCheckpoint) } });
});

test('users and clients with slashes in their ids do not share a number', () => {
  const parts = ['', 'a', 'b', 'c', '/', 'a/b', 'b/c', '/1/a', '1', '3', '/3/a/b', 'a/b/c'];
  const pairs = parts.flatMap((user) => [undefined, ...parts].map((client) => [user, client] as const));
  const keys = pairs.map(([user, client]) => writeCheckpointKey(user, client));
  expect(new Set(keys).size).toBe(pairs.length);
  for (const [user, client] of pairs)
    expect(userPartOf(writeCheckpointKey(user, client))).toBe(writeCheckpointKey(user, undefined));
});

test('keys that were stored before are still those of their clients', () => {
  expect(writeCheckpointKey('user1', undefined)).toBe('user1');
  expect(writeCheckpointKey('user1', 'c/1')).toBe('user1/c/1');
});

test('a client that has requested the highest number gets an error for the next one, and no other client does', async () => {
  const syncing = await startSyncing({ config });
  await request(syncing, { client_id: 'c1', checkpoint_request_id: String(2n ** 63n - 1n) });
  const [refused, other] = await Promise.all([create(syncing), create(syncing, '?client_id=c2')]);
  expect(refused).toMatchObject({ status: 400, json: { error: { code: 'SVC_S2001' } } });
  expect(other.status).toBe(200);
});

test('a client id that is too long is refused', async () => {
  const syncing = await startSyncing({ config });
  expect((await create(syncing, `?client_id=${'c'.repeat(30_000)}`)).status).toBe(400);
  expect((await create(syncing, `?client_id=${'c'.repeat(1_000)}`)).status).toBe(200);
});
