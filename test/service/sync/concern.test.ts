import { getEventListeners } from 'node:events';
import { describe, expect, test } from 'vitest';
import type { Notice } from '../../../server/service/storage/storage.ts';
import { type Interests, type News, openConcern, sharedKeys } from '../../../server/service/sync/concern.ts';

const served = { deployment: 1, revision: 4 };
type KnownConcern = Parameters<typeof openConcern>[3];

/** Watches for changes that concern one client. Returns functions that send a notice or a write checkpoint to the client. */
function listen({ isOutdated = false, known }: { isOutdated?: boolean; known?: KnownConcern } = {}) {
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
        return () => {
          heard.written = noop;
        };
      },
    },
    {
      served,
      writeCheckpointKey: 'ada',
      onSwitched: () => {
        switched += 1;
      },
    },
    known,
  );
  const notify = (changed: Notice['changed'], more: Partial<Notice> = {}) =>
    heard.notice({ deployment: 1, checkpoint: { opId: 1, position: '0/1' }, changed, ...more } as Notice);
  return { concern, notify, written: () => heard.written(), switched: () => switched };
}

function noop(): void {}

const interests: Interests = { buckets: new Map([['a', 1]]), lookups: new Set(['l[1]']) };
const changes = (buckets: readonly string[], lookups: readonly string[] = []) => ({
  buckets: new Set(buckets),
  lookups: new Set(lookups),
});
const nothing: News = { lookups: false, buckets: new Set(), writeCheckpoint: false };
const everything = { lookups: true, buckets: 'all', writeCheckpoint: true };

describe('a client has news', () => {
  test.each<[string, Notice['changed'], object]>([
    ['after a change of its bucket', changes(['a', 'b']), { ...nothing, buckets: new Set(['a']) }],
    ['but not after a change of only other buckets', changes(['b', 'c']), nothing],
    ['after a change of its lookup', changes([], ['l[1]', 'l[2]']), { ...nothing, lookups: true }],
    ['but not after a change of other lookups', changes([], ['l[2]']), nothing],
    ['of every kind after an unknown change', undefined, everything],
  ])('%s', (_, changed, news) => {
    const { concern, notify } = listen();
    concern.follow(interests);
    notify(changed);
    expect(concern.hasNews).toBe(news !== nothing);
    expect(concern.take()).toEqual(news);
    expect(concern.hasNews).toBe(false);
  });

  test('of every kind after an unknown change that a known change follows', () => {
    const { concern, notify } = listen();
    concern.follow(interests);
    notify(undefined);
    notify(changes(['a'], ['l[1]']));
    expect(concern.take()).toEqual(everything);
  });

  test('after its own write checkpoint', () => {
    const { concern, written } = listen();
    written();
    expect(concern.hasNews).toBe(true);
    expect(concern.take()).toEqual({ ...nothing, writeCheckpoint: true });
  });

  test('but not after a change of another deployment', () => {
    const { concern, notify } = listen();
    concern.follow(interests);
    notify(changes(['a']), { deployment: 2 });
    expect(concern.hasNews).toBe(false);
  });
});

describe('a client that was in a cohort', () => {
  const interestsOf = (...buckets: readonly string[]) => ({
    buckets: new Map(buckets.map((bucket) => [bucket, 1])),
    lookups: new Set<string>(),
  });

  test.each<[string, Partial<News>]>([
    ['a change of a bucket', { buckets: new Set(['b']) }],
    ['an unknown change of buckets', { buckets: 'all' }],
    ['a change of a lookup', { lookups: true }],
    ['a write checkpoint', { writeCheckpoint: true }],
  ])('still has its news: %s', (_, some) => {
    const news: News = { ...nothing, ...some } as News;
    const { concern } = listen({ known: { news, interests } });
    expect(concern.hasNews).toBe(true);
    expect(concern.take()).toEqual(news);
    expect(concern.hasNews).toBe(false);
  });

  test('has further news of its interests', () => {
    const { concern, notify } = listen({ known: { news: nothing, interests } });
    notify(changes(['b']));
    expect(concern.hasNews).toBe(false);
    notify(changes(['a']));
    expect(concern.take().buckets).toEqual(new Set(['a']));
  });

  test('has no news from before its last evaluation', () => {
    const { concern, notify } = listen();
    notify(changes(['a']));
    concern.take();
    concern.follow(interests);
    expect(concern.hasNews).toBe(false);
  });

  test('has news of the interests that it got in an evaluation, also from during that evaluation', () => {
    const { concern, notify } = listen();
    concern.follow(interestsOf('a'));
    concern.take();
    notify(changes(['c']));
    concern.follow(interestsOf('a', 'c'));
    expect(concern.take().buckets).toEqual(new Set(['c']));
  });

  test('has no news of a notice that did not concern its former interests', () => {
    const { concern, notify } = listen();
    notify(changes(['c']));
    concern.follow(interestsOf('a'));
    concern.follow(interestsOf('c'));
    expect(concern.hasNews).toBe(false);
  });

  test('has no news after it has stopped listening', () => {
    const { concern, notify, written } = listen({ known: { news: nothing, interests } });
    concern.stop();
    notify(undefined);
    written();
    expect(concern.hasNews).toBe(false);
  });
});

test('only the smaller of two sets is looked through', () => {
  const large = new Set(Array.from({ length: 1000 }, (_, index) => String(index)));
  large.keys = () => expect.unreachable();
  const small = new Set(['5', '5000']);
  expect([...sharedKeys(large, small)]).toEqual(['5']);
  expect([...sharedKeys(small, large)]).toEqual(['5']);
});

describe('before the interests of a client are known', () => {
  test('notices are kept', () => {
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
  ])('after %d notices that do not concern the client, its news is %j', (count, news) => {
    const { concern, notify } = listen();
    for (let index = 0; index < count; index += 1) notify(changes(['b']));
    concern.follow(interests);
    expect(concern.take()).toEqual(news);
  });
});

describe('waiting', () => {
  test.each(['news', 'any notice'] as const)('for %s ends once when there is news', async (until) => {
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
    expect(getEventListeners(signal, 'abort')).toEqual([]);
    await concern.wait(until, signal);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  test('for news ends at the write checkpoint of the client', async () => {
    const { concern, written } = listen();
    const waiting = concern.wait('news', new AbortController().signal);
    written();
    await waiting;
  });

  test.each(['news', 'any notice'] as const)('for %s does not end before that', async (until) => {
    const { concern, notify } = listen();
    concern.follow(interests);
    notify(changes(['b']));
    concern.take();
    concern.follow(interests);
    const controller = new AbortController();
    let hasEnded = false;
    const waiting = concern.wait(until, controller.signal).then(() => {
      hasEnded = true;
    });
    notify(changes(['a']), { deployment: 2 });
    await Promise.resolve();
    await Promise.resolve();
    expect(hasEnded).toBe(false);
    controller.abort();
    await waiting;
  });

  test('for any notice does not end before there was one', async () => {
    const { concern, notify } = listen();
    const waiting = concern.wait('any notice', new AbortController().signal).then(() => 'ended');
    expect(await Promise.race([waiting, Promise.resolve('waits')])).toBe('waits');
    notify(changes([]));
    expect(await waiting).toBe('ended');
  });

  test('for news does not end at a notice that does not concern the client', async () => {
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

  test('for any notice ends at a notice that does not concern the client', async () => {
    const { concern, notify } = listen();
    concern.follow(interests);
    const waiting = concern.wait('any notice', new AbortController().signal);
    notify(changes(['b']));
    await waiting;
    expect(concern.hasNews).toBe(false);
  });
});

describe('a client switches to the active config', () => {
  test.each<[string, Partial<Notice>, number]>([
    ['of another deployment', { deployment: 2, activated: { revision: 1 } }, 1],
    ['of a later revision', { activated: { revision: 5 } }, 1],
    ['but not of an earlier revision', { activated: { revision: 3 } }, 0],
    ['but not if none became active', {}, 0],
    ['but not of its own revision', { activated: { revision: 4 } }, 0],
  ])('%s', (_, notice, times) => {
    const { notify, switched } = listen();
    notify(changes([]), notice);
    expect(switched()).toBe(times);
  });

  test('even if the config became active before the client listened', () => {
    expect(listen({ isOutdated: true }).switched()).toBe(1);
  });
});
