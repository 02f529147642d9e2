import { expect, test } from 'vitest';
import { standsAt } from '../../../../server/service/sync/cohorts/standing.ts';
import type { ClientState, SyncSession } from '../../../../server/service/sync/session.ts';

/** Parses a state. `a 7 2 @9` is a bucket with its checksum, its count, and the position up to which the client has the bucket. */
function stateOf(drawing: string, opId = 9): ClientState {
  const drawn = drawing.split(', ').filter((each) => each !== '');
  const buckets = drawn.map((each) => {
    const [bucket = '', checksum, count, position = ''] = each.split(' ');
    const entry = { bucket, checksum: Number(checksum), count: Number(count), priority: 3 as const };
    return { entry: { ...entry, subscriptions: [] }, position: Number(position.slice(1)) };
  });
  return {
    view: {
      opId,
      writeCheckpoint: undefined,
      buckets: new Map(buckets.map(({ entry }) => [entry.bucket, entry])),
      streams: [],
    },
    positions: new Map(buckets.map(({ entry, position }) => [entry.bucket, position])),
    unfinished: [],
    open: false,
    notBefore: 0,
  };
}

const waiting = (told: ClientState): SyncSession => ({ kind: 'waiting', told });

test.each([
  ['the same buckets', true, 'a 7 2 @9, b 1 1 @3'],
  ['another checksum', false, 'a 8 2 @9, b 1 1 @3'],
  ['another count', false, 'a 7 3 @9, b 1 1 @3'],
  ['another position', false, 'a 7 2 @8, b 1 1 @3'],
  ['one bucket less', false, 'a 7 2 @9'],
  ['one bucket more', false, 'a 7 2 @9, b 1 1 @3, c 1 1 @3'],
  ['another bucket', false, 'a 7 2 @9, c 1 1 @3'],
])('a client with %s can share further lines: %s', (_, isSame, other) => {
  expect(standsAt(waiting(stateOf('a 7 2 @9, b 1 1 @3')), stateOf(other))).toBe(isSame);
});

test('clients with different checkpoint numbers can share further lines', () => {
  expect(standsAt(waiting(stateOf('a 7 2 @9', 9)), stateOf('a 7 2 @9', 12))).toBe(true);
});

test('a client that is still being sent lines cannot share further lines', () => {
  const told = stateOf('a 7 2 @9');
  const view = told.view ?? expect.unreachable();
  expect(standsAt({ kind: 'fetching', told: { ...told, view }, groups: [], sent: 0 }, told)).toBe(false);
  expect(standsAt({ kind: 'resolving', told }, told)).toBe(false);
});

test('a client without a checkpoint cannot share further lines', () => {
  const { view: _, ...none } = stateOf('');
  expect(standsAt(waiting(none), stateOf(''))).toBe(false);
  expect(standsAt(waiting(stateOf('')), none)).toBe(false);
});
