import { describe, expect, test } from 'vitest';
import type { Notice } from '../../../server/service/storage/storage.ts';
import { type Interests, openConcern } from '../../../server/service/sync/concern.ts';

const served = { deployment: 1, revision: 4 };

/** A client that has bucket `a` and looks up `l[1]`, and the notices that it hears of. */
function listen({ isOutdated = false } = {}) {
  const heard: { notice: (notice: Notice) => void; written: () => void } = { notice: noop, written: noop };
  let switched = 0;
  const concern = openConcern(
    {
      watch: (listener) => {
        heard.notice = listener;
        return () => {
          heard.notice = noop;
        };
      },
      isOutdated: () => isOutdated,
    },
    {
      watch: (_key, listener) => {
        heard.written = listener;
        return noop;
      },
    },
    {
      served,
      writeCheckpointKey: 'ada',
      onSwitched: () => {
        switched += 1;
      },
    },
  );
  const notify = (changed: Notice['changed'], more: Partial<Notice> = {}) =>
    heard.notice({ deployment: 1, checkpoint: { opId: 1, lsn: '0/1' }, changed, ...more } as Notice);
  return { concern, notify, written: () => heard.written(), switched: () => switched };
}

function noop(): void {}

const interests: Interests = { buckets: new Map([['a', 1]]), lookups: new Set(['l[1]']) };
const changes = (buckets: readonly string[], lookups: readonly string[] = []) => ({
  buckets: new Set(buckets),
  lookups: new Set(lookups),
});
const nothing = { lookups: false, buckets: new Set(), writeCheckpoint: false };
const everything = { lookups: true, buckets: 'all', writeCheckpoint: true };

describe('what concerns a client', () => {
  test.each<[string, Notice['changed'], object]>([
    ['a change of its bucket', changes(['a', 'b']), { ...nothing, buckets: new Set(['a']) }],
    ['a change of other buckets alone does not', changes(['b', 'c']), nothing],
    ['a change of what it looks up', changes([], ['l[1]', 'l[2]']), { ...nothing, lookups: true }],
    ['a change of other lookups does not', changes([], ['l[2]']), nothing],
    ['an unknown change: everything', undefined, everything],
  ])('%s', (_, changed, news) => {
    const { concern, notify } = listen();
    concern.follow(interests);
    notify(changed);
    expect(concern.hasNews).toBe(news !== nothing);
    expect(concern.take()).toEqual(news);
    expect(concern.hasNews).toBe(false);
  });

  test('everything may have changed, whatever else changes afterwards', () => {
    const { concern, notify } = listen();
    concern.follow(interests);
    notify(undefined);
    notify(changes(['a'], ['l[1]']));
    expect(concern.take()).toEqual(everything);
  });

  test('its own write checkpoint', () => {
    const { concern, written } = listen();
    written();
    expect(concern.take()).toEqual({ ...nothing, writeCheckpoint: true });
  });

  test('changes of another deployment do not', () => {
    const { concern, notify } = listen();
    concern.follow(interests);
    notify(changes(['a']), { deployment: 2 });
    expect(concern.hasNews).toBe(false);
  });
});

describe('while a client is looked at', () => {
  test('notices are kept until its interests are known', () => {
    const { concern, notify } = listen();
    notify(changes(['a']));
    notify(changes(['b'], ['l[1]']));
    expect(concern.hasNews).toBe(false);
    concern.follow(interests);
    expect(concern.take()).toEqual({ ...nothing, lookups: true, buckets: new Set(['a']) });
  });

  test.each([
    [100, nothing],
    [101, everything],
  ])('after %d notices that do not concern it, it knows: %j', (count, news) => {
    const { concern, notify } = listen();
    for (let index = 0; index < count; index += 1) notify(changes(['b']));
    concern.follow(interests);
    expect(concern.take()).toEqual(news);
  });
});

describe('waiting', () => {
  test.each(['news', 'any notice'] as const)('for %s ends with news, once', async (until) => {
    const { concern, notify } = listen();
    concern.follow(interests);
    let ends = 0;
    const signal = new AbortController().signal;
    const waiting = concern.wait(until, signal).then(() => {
      ends += 1;
    });
    notify(changes(['a']));
    await waiting;
    expect(ends).toBe(1);
    await concern.wait(until, signal);
  });

  test('for news does not end with what does not concern the client', async () => {
    const { concern, notify } = listen();
    concern.follow(interests);
    let hasEnded = false;
    const controller = new AbortController();
    const waiting = concern.wait('news', controller.signal).then(() => {
      hasEnded = true;
    });
    notify(changes(['b']));
    await Promise.resolve();
    expect(hasEnded).toBe(false);
    controller.abort();
    await waiting;
  });

  test('for any notice ends with one that does not concern the client', async () => {
    const { concern, notify } = listen();
    concern.follow(interests);
    const waiting = concern.wait('any notice', new AbortController().signal);
    notify(changes(['b']));
    await waiting;
    expect(concern.hasNews).toBe(false);
  });
});

describe('a client notices that another config is active', () => {
  test.each<[string, Partial<Notice>, number]>([
    ['another deployment', { deployment: 2, activated: { revision: 1 } }, 1],
    ['a later revision', { activated: { revision: 5 } }, 1],
    ['but not of its own revision', { activated: { revision: 4 } }, 0],
  ])('%s', (_, notice, times) => {
    const { notify, switched } = listen();
    notify(changes([]), notice);
    expect(switched()).toBe(times);
  });

  test('also if that happened before it listened', () => {
    expect(listen({ isOutdated: true }).switched()).toBe(1);
  });
});
