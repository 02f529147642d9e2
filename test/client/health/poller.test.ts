import { beforeEach, describe, expect, test } from 'vitest';
import type { Diagnosis } from '../../../client/api/answers.ts';
import { ApiFailure } from '../../../client/api/failure.ts';
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
let asked: number;
let waiting: { readonly milliseconds: number; readonly call: () => void } | undefined;
let seen: string[];
let poller: Poller;

beforeEach(() => {
  answer = async () => good;
  wanted = true;
  asked = 0;
  waiting = undefined;
  seen = [];
  poller = pollHealth(
    {
      ask: () => {
        asked += 1;
        return answer();
      },
      isWanted: () => wanted,
      after(milliseconds, call) {
        waiting = { milliseconds, call };
        return () => {
          waiting = undefined;
        };
      },
    },
    ({ kind }) => seen.push(kind),
  );
});

describe('Polling', () => {
  test('goes on every five seconds, and every second while tables are copied', async () => {
    await poller.askNow();
    expect(waiting?.milliseconds).toBe(5_000);
    answer = async () => copying;
    await poller.askNow();
    expect(waiting?.milliseconds).toBe(1_000);
    expect(seen).toEqual(['healthy', 'copying']);
  });

  test('backs off while nothing answers, up to a minute, and recovers at once', async () => {
    answer = () => Promise.reject(new ApiFailure('unreachable', 'Off.'));
    const pauses: (number | undefined)[] = [];
    for (let times = 0; times < 6; times += 1) {
      await poller.askNow();
      pauses.push(waiting?.milliseconds);
    }
    expect(pauses).toEqual([5_000, 10_000, 20_000, 40_000, 60_000, 60_000]);
    answer = async () => good;
    await poller.askNow();
    expect(waiting?.milliseconds).toBe(5_000);
  });

  test('rests while nobody looks, and asks at once when someone does', async () => {
    await poller.askNow();
    wanted = false;
    poller.reconsider();
    expect(waiting).toBeUndefined();
    wanted = true;
    poller.reconsider();
    expect(waiting?.milliseconds).toBe(0);
  });

  test('is not sped up by looking again and again', async () => {
    await poller.askNow();
    poller.reconsider();
    poller.reconsider();
    expect(waiting?.milliseconds).toBe(5_000);
    expect(asked).toBe(1);
  });

  test('forgets an answer of the target before', async () => {
    let finish: (diagnosis: Diagnosis) => void = () => {};
    answer = () => new Promise((resolve) => (finish = resolve));
    const first = poller.askNow();
    poller.retarget();
    finish(good);
    expect((await first).kind).toBe('unknown');
    expect(seen).toEqual(['unknown']);
  });
});
