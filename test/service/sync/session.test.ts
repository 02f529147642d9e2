import { describe, expect, test } from 'vitest';
import type { BucketEntry, View } from '../../../server/service/sync/protocol.ts';
import {
  isLevel,
  nextOfSession,
  nextReadOf,
  type SentChunk,
  type SessionEvent,
  type SyncSession,
  startSession,
} from '../../../server/service/sync/session.ts';

function entry(bucket: string, more: Partial<BucketEntry> = {}): BucketEntry {
  return { bucket, checksum: 1, count: 1, priority: 3, subscriptions: [], ...more };
}

function view(opId: number, entries: readonly BucketEntry[], writeCheckpoint?: bigint): View {
  const buckets = new Map(entries.map((each) => [each.bucket, each]));
  return { opId, writeCheckpoint, buckets, streams: [] };
}

const sees = (opId: number, entries: readonly BucketEntry[], writeCheckpoint?: bigint): SessionEvent => ({
  kind: 'view',
  view: view(opId, entries, writeCheckpoint),
});
const batch = (chunks: readonly Partial<SentChunk>[], newer = false): SessionEvent => ({
  kind: 'batch',
  chunks: chunks.map((chunk) => ({ bucket: 'a', nextAfter: 1, hasMore: false, count: 1, ...chunk })),
  newer,
});
const concerned: SessionEvent = { kind: 'concerned' };
const end: SessionEvent = { kind: 'end' };

/** Plays events from the start. Returns the session after them, and the lines in a short form. */
function play(...events: readonly SessionEvent[]) {
  return playFrom(new Map(), ...events);
}

function playFrom(positions: ReadonlyMap<string, number>, ...events: readonly SessionEvent[]) {
  let session = startSession(positions);
  const lines: string[] = [];
  for (const event of events) {
    const step = nextOfSession(session, event);
    session = step.session;
    for (const line of step.lines) lines.push(shortly(line));
  }
  return { session, lines };
}

/** Returns the short form of a line, such as `diff 5 (3) +a,b -c`. */
function shortly(line: object): string {
  const [[kind, value]] = Object.entries(line) as [[string, Record<string, never>]];
  const { last_op_id, write_checkpoint, buckets, updated_buckets, removed_buckets, priority } = value;
  const namesOf = (entries: readonly BucketEntry[]) => entries.map(({ bucket }) => bucket).join();
  const names = {
    checkpoint: 'told',
    checkpoint_diff: 'diff',
    checkpoint_complete: 'complete',
    partial_checkpoint_complete: `partial ${priority}`,
  };
  return [
    `${names[kind as keyof typeof names]} ${last_op_id}`,
    ...(write_checkpoint === undefined ? [] : [`(${write_checkpoint})`]),
    ...(buckets === undefined ? [] : [namesOf(buckets)]),
    ...(updated_buckets === undefined ? [] : [`+${namesOf(updated_buckets)}`]),
    ...(removed_buckets === undefined ? [] : [`-${(removed_buckets as string[]).join()}`]),
  ].join(' ');
}

describe('every event in every state', () => {
  const told = view(5, [entry('a')]);
  const states: Readonly<Record<SyncSession['kind'], SyncSession>> = {
    resolving: startSession(new Map()),
    fetching: nextOfSession(startSession(new Map()), { kind: 'view', view: told }).session,
    waiting: play(sees(5, [entry('a')]), batch([{}])).session,
    ended: { kind: 'ended' },
  };
  const events: Readonly<Record<SessionEvent['kind'], SessionEvent>> = {
    view: { kind: 'view', view: told },
    batch: batch([{}]),
    concerned,
    end,
  };
  const table: Readonly<
    Record<SyncSession['kind'], Readonly<Record<SessionEvent['kind'], SyncSession['kind']>>>
  > = {
    resolving: { view: 'fetching', batch: 'resolving', concerned: 'resolving', end: 'ended' },
    fetching: { view: 'fetching', batch: 'waiting', concerned: 'fetching', end: 'ended' },
    waiting: { view: 'waiting', batch: 'waiting', concerned: 'resolving', end: 'ended' },
    ended: { view: 'ended', batch: 'ended', concerned: 'ended', end: 'ended' },
  };
  const cells = Object.entries(table).flatMap(([state, row]) =>
    Object.entries(row).map(([event, expected]) => ({ state, event, expected })),
  );
  test.each(cells)('$state, $event → $expected', ({ state, event, expected }) => {
    const { session } = nextOfSession(
      states[state as SyncSession['kind']],
      events[event as SessionEvent['kind']],
    );
    expect(session.kind).toBe(expected);
  });
});

describe('the first checkpoint', () => {
  test('without buckets is complete at once', () => {
    expect(play(sees(5, [])).lines).toEqual(['told 5 ', 'complete 5']);
  });

  test('is complete when the last bucket has been sent', () => {
    const { lines, session } = play(
      sees(5, [entry('b'), entry('a')]),
      batch([{ bucket: 'a', nextAfter: 3 }]),
      batch([{ bucket: 'b', nextAfter: 5 }]),
    );
    expect(lines).toEqual(['told 5 b,a', 'complete 5']);
    expect(session).toMatchObject({
      kind: 'waiting',
      told: { positions: new Map(Object.entries({ a: 3, b: 5 })) },
    });
  });

  test('reads nothing of buckets that are empty, or that the client has', () => {
    const entries = [entry('empty', { count: 0 }), entry('had'), entry('a')];
    const { session } = playFrom(new Map([['had', 5]]), sees(5, entries));
    expect(session).toMatchObject({ groups: [{ pending: ['a'] }] });
  });

  test('forgets positions of buckets that the client may not see', () => {
    const { session } = playFrom(new Map([['gone', 3]]), sees(5, [entry('a')]));
    expect(session).toMatchObject({ told: { positions: new Map([['a', 0]]) } });
  });

  test('is sent by priority, and reports each complete priority, even one with only empty buckets', () => {
    const entries = [entry('low'), entry('high', { priority: 0 }), entry('mid', { priority: 1, count: 0 })];
    const { lines } = play(sees(5, entries), batch([{ bucket: 'high' }]), batch([{ bucket: 'low' }]));
    expect(lines).toEqual([
      'told 5 low,high,mid',
      'partial 5 0'.replace('5 0', '0 5'),
      'partial 1 5',
      'complete 5',
    ]);
  });
});

test('a part of a bucket leaves the buckets of the next priority pending', () => {
  const entries = [entry('a', { priority: 1 }), entry('b'), entry('c')];
  const { session, lines } = play(sees(5, entries), batch([{ bucket: 'a', hasMore: true, nextAfter: 2 }]));
  expect(lines).toEqual(['told 5 a,b,c']);
  expect(session).toMatchObject({ groups: [{ pending: ['a'] }, { pending: ['b', 'c'] }] });
  expect(session.kind === 'fetching' && nextReadOf(session)).toEqual({
    at: 5,
    from: [{ bucket: 'a', after: 2 }],
  });
});

test('a bucket without operations is complete', () => {
  expect(play(sees(5, [entry('a')]), batch([])).lines).toEqual(['told 5 a', 'complete 5']);
});

test('a client is level when it waits with a complete checkpoint', () => {
  const told = sees(5, [entry('a')]);
  const sessions = {
    first: play().session,
    fetching: play(told).session,
    complete: play(told, batch([{}])).session,
    again: play(told, batch([{}]), concerned).session,
    // A checkpoint that compaction has overtaken stays open.
    open: play(told, batch([{ target: 8 }]), sees(6, [entry('a')])).session,
    old: { kind: 'waiting', told: { ...startSession(new Map()), positions: new Map(), open: false } },
    ended: play(end).session,
  };
  expect(Object.entries(sessions).filter(([, session]) => isLevel(session as SyncSession))).toMatchObject([
    ['complete', {}],
  ]);
});

describe('later checkpoints', () => {
  const first = [sees(5, [entry('a'), entry('b')]), batch([{ bucket: 'b' }])];

  test('announce the differences, and fetch only those', () => {
    const entries = [entry('a', { checksum: 2 }), entry('c')];
    const { lines, session } = play(...first, concerned, sees(8, entries));
    expect(lines.slice(2)).toEqual(['diff 8 +a,c -b']);
    expect(session).toMatchObject({ groups: [{ pending: ['a', 'c'] }] });
  });

  test('without differences are not announced', () => {
    const { lines, session } = play(...first, concerned, sees(8, [entry('a'), entry('b')]));
    expect(lines).toHaveLength(2);
    expect(session.kind).toBe('waiting');
  });

  test('with another write checkpoint are announced and completed, even without data', () => {
    const { lines } = play(...first, concerned, sees(5, [entry('a'), entry('b')], 7n));
    expect(lines.slice(2)).toEqual(['diff 5 (7) + -', 'complete 5']);
  });

  test('are announced even if the storage has never had an operation', () => {
    const { lines } = play(sees(0, []), concerned, sees(0, [], 7n));
    expect(lines.slice(2)).toEqual(['diff 0 (7) + -', 'complete 0']);
  });

  test('read a bucket from its beginning if the client had lost it', () => {
    const { session } = play(
      ...first,
      concerned,
      sees(8, [entry('a')]),
      concerned,
      sees(9, [entry('a'), entry('b')]),
    );
    expect(session.kind === 'fetching' && nextReadOf(session)).toEqual({
      at: 9,
      from: [{ bucket: 'b', after: 0 }],
    });
  });

  test('repeat all buckets if the errors of a stream have changed, because a difference has no streams', () => {
    const withErrors = (opId: number, errors: readonly string[], name = 's'): SessionEvent => {
      const streams = [
        { name: 'fine', is_default: true, errors: [] },
        { name, is_default: true, errors: errors.map((message) => ({ subscription: 0, message })) },
      ];
      return { kind: 'view', view: { ...view(opId, [entry('a')]), streams } };
    };
    const { lines } = play(
      withErrors(5, []),
      batch([{ nextAfter: 5 }]),
      ...[concerned, withErrors(5, [], 'renamed')],
      ...[concerned, withErrors(5, ['wrong'])],
      ...[concerned, withErrors(5, ['wrong'])],
      ...[concerned, withErrors(5, ['worse'])],
    );
    expect(lines).toEqual(['told 5 a', 'complete 5', 'told 5 a', 'complete 5', 'told 5 a', 'complete 5']);
  });

  test('repeat the write checkpoint', () => {
    const { lines } = play(sees(5, [entry('a')], 7n), batch([{}]), concerned, sees(6, [], 7n));
    expect(lines.slice(2)).toEqual(['diff 6 (7) + -a', 'complete 6']);
  });

  test('never go back', () => {
    const { lines } = play(...first, concerned, sees(4, [entry('a', { checksum: 9 })]));
    expect(lines).toHaveLength(2);
  });

  test('announce a bucket again if it is sent for another subscription', () => {
    const again = entry('a', { subscriptions: [{ sub: 0 }] });
    expect(play(...first, concerned, sees(6, [again, entry('b')])).lines.slice(2)[0]).toBe('diff 6 +a -');
  });
});

describe('a checkpoint is abandoned', () => {
  const entries = [entry('a', { priority: 1 }), entry('b'), entry('c')];

  test('for a newer one after 1000 operations, and unsent buckets are carried over', () => {
    const { lines, session } = play(
      sees(5, entries),
      batch([{ bucket: 'a', count: 600 }], true),
      batch([{ bucket: 'b', count: 400, hasMore: true, nextAfter: 3 }], true),
      sees(9, [entry('a', { priority: 1 }), entry('b'), entry('c'), entry('urgent', { priority: 0 })]),
    );
    expect(lines).toEqual(['told 5 a,b,c', 'partial 1 5', 'diff 9 +urgent -']);
    expect(session).toMatchObject({
      groups: [
        { priority: 0, pending: ['urgent'] },
        { priority: 3, pending: ['b', 'c'] },
      ],
    });
  });

  test('and completed by the next one, even if nothing has changed or an unsent bucket is gone', () => {
    const given = [sees(5, entries), batch([{ bucket: 'a', count: 1000, nextAfter: 5 }], true)];
    expect(play(...given, sees(5, entries)).session).toMatchObject({ groups: [{ pending: ['b', 'c'] }] });
    const { lines, session } = play(...given, sees(6, [entry('a', { priority: 1 }), entry('c')]));
    expect(lines.at(-1)).toBe('diff 6 + -b');
    expect(session).toMatchObject({ groups: [{ pending: ['c'] }] });
    const late = play(...given, sees(5, [entry('a', { priority: 1 })]), concerned);
    expect(late.lines.slice(-2)).toEqual(['diff 5 + -b,c', 'complete 5']);
  });

  test('not without a newer one', () => {
    const { session } = play(sees(5, entries), batch([{ bucket: 'a', count: 1000 }]));
    expect(session.kind).toBe('fetching');
  });

  test('not before 1000 operations', () => {
    const { session } = play(sees(5, entries), batch([{ bucket: 'a', count: 999 }], true));
    expect(session.kind).toBe('fetching');
  });

  test('not when it has just been completed', () => {
    const { lines, session } = play(sees(5, [entry('a')]), batch([{ count: 1000 }], true));
    expect(lines.at(-1)).toBe('complete 5');
    expect(session.kind).toBe('waiting');
  });

  test('when compaction has overtaken it, until a later one has matching checksums', () => {
    const { lines, session } = play(
      sees(5, [entry('a')]),
      batch([{ target: 8 }]),
      sees(6, [entry('a')]),
      concerned,
      sees(8, [entry('a', { checksum: 2 })]),
      batch([{ nextAfter: 8 }]),
    );
    expect(lines).toEqual(['told 5 a', 'diff 8 +a -', 'complete 8']);
    expect(session.kind).toBe('waiting');
  });

  test('when compaction has overtaken one of the sent buckets', () => {
    const { lines, session } = play(
      sees(5, [entry('a'), entry('b'), entry('c')]),
      batch([{ target: 7 }, { bucket: 'b', target: 8 }, { bucket: 'c' }]),
      sees(7, [entry('a', { checksum: 2 })]),
    );
    expect(lines).toEqual(['told 5 a,b,c']);
    expect(session.kind).toBe('waiting');
  });

  test('not when the superseding operations belong to it', () => {
    expect(play(sees(8, [entry('a')]), batch([{ target: 8 }])).lines.at(-1)).toBe('complete 8');
  });
});
