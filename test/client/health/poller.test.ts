import { beforeEach, describe, expect, test } from 'vitest';
import type { Diagnosis } from '../../../client/api/answers.ts';
import { ApiFailure } from '../../../client/api/failure.ts';
import type { Health } from '../../../client/health/health.ts';
import { type Poller, pollHealth } from '../../../client/health/poller.ts';

const now = Date.UTC(2026, 0, 1);
const good: Diagnosis = {
  at: now,
  sources: [],
  active: { slot: 'one', copied: true, keepaliveAt: now, tables: [], errors: [] },
};
const copying: Diagnosis = {
  at: now,
  sources: [],
  pending: { slot: 'two', copied: false, tables: [], errors: [] },
};

let answer: () => Promise<Diagnosis>;
let wanted: boolean;
/** Times of the calls, in milliseconds since the start. */
let asked: number[];
let time: number;
let timers: { readonly at: number; readonly call: () => void }[];
let seen: Health[];
let poller: Poller;

beforeEach(() => {
  answer = async () => good;
  wanted = true;
  asked = [];
  time = 0;
  timers = [];
  seen = [];
  poller = pollHealth(
    {
      ask: () => {
        asked.push(time);
        return answer();
      },
      isWanted: () => wanted,
      after(milliseconds, call) {
        const timer = { at: time + milliseconds, call };
        timers.push(timer);
        return () => {
          timers = timers.filter((each) => each !== timer);
        };
      },
      now: () => time,
    },
    (health) => seen.push(health),
  );
});

/** Advances the clock by this many milliseconds, and calls all timers that are due. */
async function pass(milliseconds: number): Promise<void> {
  const end = time + milliseconds;
  while (true) {
    const due = timers.toSorted((a, b) => a.at - b.at).find(({ at }) => at <= end);
    if (due === undefined) break;
    timers = timers.filter((each) => each !== due);
    time = Math.max(time, due.at);
    due.call();
    // Wait until answers have arrived.
    await new Promise((resolve) => setImmediate(resolve));
  }
  time = end;
}

/** Puts the machine to sleep, so that the clock advances but timers are not called in time. */
async function sleepFor(milliseconds: number): Promise<void> {
  time += milliseconds;
  await pass(0);
}

const kindsSeen = () => seen.map(({ kind }) => kind);

describe('Polling', () => {
  test('repeats every five seconds, and every second while tables are copied', async () => {
    await poller.askNow();
    await pass(10_000);
    expect(asked).toEqual([0, 5_000, 10_000]);
    answer = async () => copying;
    await pass(7_000);
    expect(asked.slice(3)).toEqual([15_000, 16_000, 17_000]);
    expect(kindsSeen()).toEqual(['healthy', 'healthy', 'healthy', 'copying', 'copying', 'copying']);
  });

  test('backs off up to a minute while nothing is listening, and recovers at once', async () => {
    answer = () => Promise.reject(new ApiFailure('unreachable', 'Off.'));
    await poller.askNow();
    await pass(195_000);
    expect(asked).toEqual([0, 5_000, 15_000, 35_000, 75_000, 135_000, 195_000]);
    answer = async () => good;
    await pass(65_000);
    expect(asked.slice(7)).toEqual([255_000, 260_000]);
  });

  test('stops while no user is looking, and continues at once when a user looks again', async () => {
    await poller.askNow();
    wanted = false;
    poller.reconsider();
    await pass(60_000);
    expect(asked).toEqual([0]);
    wanted = true;
    poller.reconsider();
    await pass(0);
    expect(asked).toEqual([0, 60_000]);
  });

  test('does not become faster if a user looks repeatedly', async () => {
    await poller.askNow();
    poller.reconsider();
    poller.reconsider();
    await pass(5_000);
    expect(asked).toEqual([0, 5_000]);
  });

  test('drops an answer of the previous target', async () => {
    let finish: (diagnosis: Diagnosis) => void = () => {};
    answer = () => new Promise((resolve) => (finish = resolve));
    const first = poller.askNow();
    poller.retarget();
    finish(good);
    expect((await first).kind).toBe('unknown');
    expect(kindsSeen()).toEqual(['unknown']);
  });
});

describe('An answer', () => {
  const overdue = () => {
    const health = poller.health();
    return 'diagnosis' in health ? health.overdue : undefined;
  };
  const never = () => new Promise<Diagnosis>(() => {});

  test('is overdue if the next one has not arrived after 6.5 seconds', async () => {
    await poller.askNow();
    answer = never;
    await pass(6_499);
    expect(overdue()).toBeUndefined();
    await pass(1);
    expect(overdue()).toEqual({ age: 6_500 });
    await pass(20_000);
    expect(overdue()).toEqual({ age: 26_500 });
  });

  test('of a slow service can take twice as long as the last one before it is overdue', async () => {
    answer = async () => {
      time += 4_000;
      return good;
    };
    await poller.askNow();
    answer = never;
    await pass(12_999);
    expect(overdue()).toBeUndefined();
    await pass(1);
    expect(overdue()).toEqual({ age: 13_000 });
  });

  test('is overdue at once when a call fails, and calls are repeated as often as before', async () => {
    await poller.askNow();
    answer = () => Promise.reject(new ApiFailure('lost', 'Broken.'));
    await pass(30_000);
    expect(asked).toEqual([0, 5_000, 10_000, 15_000, 20_000, 25_000, 30_000]);
    expect(overdue()).toEqual({ age: 30_000, sentence: 'Broken.' });
    answer = async () => good;
    await pass(5_000);
    expect(overdue()).toBeUndefined();
  });

  test('is also overdue while no user is looking, because polling has stopped', async () => {
    await poller.askNow();
    wanted = false;
    poller.reconsider();
    await pass(3_600_000);
    expect(overdue()?.age).toBeGreaterThan(3_590_000);
  });

  test('is an hour old after the machine was asleep for an hour, until the next one arrives', async () => {
    await poller.askNow();
    answer = never;
    await sleepFor(3_600_000);
    expect(overdue()?.age).toBe(3_600_000);
    answer = async () => good;
    await poller.askNow();
    expect(overdue()).toBeUndefined();
  });

  test('of another target is dropped, together with its age', async () => {
    await poller.askNow();
    wanted = false;
    poller.retarget();
    await pass(60_000);
    expect(kindsSeen()).toEqual(['healthy', 'unknown']);
  });

  test('is also current if other code has received it', async () => {
    await poller.askNow();
    answer = never;
    await pass(6_500);
    expect(overdue()).toBeDefined();
    poller.learn(good);
    expect(overdue()).toBeUndefined();
  });

  test('is not asked for while other code receives it in time', async () => {
    await poller.askNow();
    for (let answers = 4; answers > 0; answers -= 1) {
      await pass(4_500);
      poller.learn(good);
      await pass(500);
    }
    expect(asked).toEqual([0]);
    await pass(10_000);
    expect(asked).toEqual([0, 26_000]);
  });

  test('counts as old after the same time as where it was received', async () => {
    await poller.askNow();
    wanted = false;
    poller.learn(good, 4_000);
    await pass(12_900);
    expect(overdue()).toBeUndefined();
    await pass(100);
    expect(overdue()).toBeDefined();
  });
});
