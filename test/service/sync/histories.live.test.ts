/**
 * Random transactions, connects, disconnects and compactions. At every completed checkpoint, each client shows the result of the
 * config's queries for one committed state of the source, and these states only move forward.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { LogPosition } from '../../../server/service/ground/logPosition.ts';
import { createSyncClient, type SyncClient } from '../../support/clients/syncClient.ts';
import { type Syncing, startSyncing } from '../../support/clients/syncing.ts';
import type { SyncStream } from '../../support/clients/syncStream.ts';
import type { MemorySource } from '../../support/service/memorySource.ts';

const config = `
config:
  edition: 3
streams:
  lists:
    auto_subscribe: true
    priority: 1
    query: SELECT * FROM lists WHERE owner = auth.user_id()
  todos:
    auto_subscribe: true
    query: SELECT * FROM todos WHERE list IN (SELECT id FROM lists WHERE owner = auth.user_id())
`;

const users = ['user1', 'user2'];
const listIds = ['l1', 'l2', 'l3'];
const todoIds = ['t1', 't2', 't3', 't4', 't5'];

type Change =
  | { readonly table: 'lists'; readonly id: string; readonly owner: string }
  | { readonly table: 'todos'; readonly id: string; readonly list: string; readonly n: number }
  | { readonly table: 'lists' | 'todos'; readonly gone: string };

type Step =
  | { readonly kind: 'commit'; readonly changes: readonly Change[] }
  | { readonly kind: 'connect' | 'disconnect'; readonly user: number; readonly encoding: number }
  | { readonly kind: 'compact' }
  | { readonly kind: 'settle' };

const change: fc.Arbitrary<Change> = fc.oneof(
  fc.record({
    table: fc.constant('lists'),
    id: fc.constantFrom(...listIds),
    owner: fc.constantFrom(...users),
  }),
  fc.record({
    table: fc.constant('todos'),
    id: fc.constantFrom(...todoIds),
    list: fc.constantFrom(...listIds),
    n: fc.nat(9),
  }),
  fc.record({ table: fc.constant('lists'), gone: fc.constantFrom(...listIds) }),
  fc.record({ table: fc.constant('todos'), gone: fc.constantFrom(...todoIds) }),
) as fc.Arbitrary<Change>;

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('commit'),
      changes: fc.array(change, { minLength: 1, maxLength: 6 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constantFrom('connect', 'disconnect'),
      user: fc.nat(1),
      encoding: fc.nat(2),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'compact' }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'settle' }) },
) as fc.Arbitrary<Step>;

test('every client shows one state of the source at each completed checkpoint', async () => {
  const syncing = await startSyncing({ config });
  const positions = new Map<string, LogPosition>();
  syncing.storage.watch(({ checkpoint }) => positions.set(String(checkpoint.opId), checkpoint.position));
  const clients = users.map(() => createSyncClient());
  let checked = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      const streams: (SyncStream | undefined)[] = users.map(() => undefined);
      for (const each of steps) {
        if (each.kind === 'disconnect') {
          const stream = streams[each.user];
          if (stream !== undefined)
            checked += check(stream, syncing.source, positions, users[each.user] ?? '');
        }
        await perform(each, syncing, streams, clients);
      }
      await settle(syncing);
      for (const [i, user] of users.entries()) {
        const stream = streams[i] ?? (await connect(syncing, i, 0, clients));
        const expected = expectedRows(syncing.source, await syncing.source.position(), user);
        await stream.until(
          ({ client }) => sameRows(client.rows, expected),
          `${user} has ${JSON.stringify(expected)}`,
        );
        checked += check(stream, syncing.source, positions, user);
        stream.close();
      }
    }),
    { seed: 7, numRuns: 30 },
  );
  expect(checked).toBeGreaterThan(50);
});

async function perform(
  each: Step,
  syncing: Syncing,
  streams: (SyncStream | undefined)[],
  clients: readonly SyncClient[],
): Promise<void> {
  switch (each.kind) {
    case 'commit':
      commit(syncing.source, each.changes);
      return;
    case 'connect':
      streams[each.user] ??= await connect(syncing, each.user, each.encoding, clients);
      return;
    case 'disconnect':
      streams[each.user]?.close();
      streams[each.user] = undefined;
      return;
    case 'compact':
      await syncing.storage.compact(1, {
        lookups: true,
        now: Date.now(),
        requestRetention: 0,
        signal: new AbortController().signal,
      });
      return;
    case 'settle':
      await settle(syncing);
  }
}

async function settle({ source, replicating }: Syncing): Promise<void> {
  await replicating.reach(await source.position());
}

const encodings = [
  {},
  { accept: 'application/vnd.powersync.bson-stream' },
  { 'accept-encoding': 'gzip' },
] as const;

async function connect(
  syncing: Syncing,
  user: number,
  encoding: number,
  clients: readonly SyncClient[],
): Promise<SyncStream> {
  const client = clients[user] ?? createSyncClient();
  return syncing.stream({
    client,
    token: users[user] ?? '',
    headers: encodings[encoding] ?? {},
    body: { raw_data: true, buckets: client.positions },
  });
}

function commit(source: MemorySource, changes: readonly Change[]): void {
  source.commit((t) => {
    for (const each of changes) {
      if ('gone' in each) {
        // The row may already be missing, so it is put before it is removed.
        t.put(each.table, each.gone, { id: each.gone });
        t.remove(each.table, each.gone);
      } else {
        const { table, ...row } = each;
        t.put(table, row.id, row as never);
      }
    }
  });
}

type Rows = Readonly<Record<string, string>>;

/** Computes the rows of a user with a second implementation of the config's queries. */
function expectedRows(source: MemorySource, position: LogPosition, user: string): Rows {
  const state = source.stateAt(position);
  const lists = (state.get('lists') ?? []).filter(({ owner }) => owner === user);
  const ids = new Set(lists.map(({ id }) => id));
  const todos = (state.get('todos') ?? []).filter(({ list }) => ids.has(list as string));
  const rows: Record<string, string> = {};
  for (const { id, owner } of lists) rows[`lists/${id}`] = `${owner}`;
  for (const { id, list, n } of todos) rows[`todos/${id}`] = `${list} ${Number(n)}`;
  return rows;
}

function shownRows(rows: ReadonlyMap<string, string>): Rows {
  return Object.fromEntries(
    [...rows].map(([key, text]) => {
      const row = JSON.parse(text) as { owner?: string; list?: string; n?: number };
      return [key, row.owner ?? `${row.list} ${row.n}`];
    }),
  );
}

function sameRows(rows: ReadonlyMap<string, string>, expected: Rows): boolean {
  const shown = shownRows(rows);
  return (
    Object.keys(shown).length === Object.keys(expected).length &&
    Object.entries(expected).every(([key, value]) => shown[key] === value)
  );
}

/** Compares the rows at each completed checkpoint with the source. Returns the number of checkpoints that could be compared. */
function check(
  stream: SyncStream,
  source: MemorySource,
  positions: ReadonlyMap<string, LogPosition>,
  user: string,
): number {
  return stream.completed.filter(({ opId, rows }) => {
    const position = positions.get(opId);
    if (position === undefined) return false;
    expect(shownRows(rows)).toEqual(expectedRows(source, position, user));
    return true;
  }).length;
}
