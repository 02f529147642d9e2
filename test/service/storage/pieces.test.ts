import { expect, test } from 'vitest';
import {
  longestRest,
  openPieces,
  type PiecesParts,
  pieceTime,
  quiet,
} from '../../../server/service/storage/embedded/pieces.ts';

/** Opens pieces in a world in which only work and pauses take time, and records how long these take. */
function begin({ writeBack = 0, commit = 0 } = {}) {
  let now = 1_000;
  let lastUse = 0;
  let isBusy = false;
  const times: number[] = [];
  const pauses: number[] = [];
  const pass = (ms: number) => {
    now += ms;
  };
  const parts: PiecesParts = {
    now: () => now,
    pause: async (ms) => {
      pass(ms);
      pauses.push(ms);
      if (isBusy) lastUse = now;
    },
    yieldTurn: async () => {
      if (isBusy) lastUse = now;
    },
    lastUse: () => lastUse,
    read: async (work) => work(),
    transaction: async (work) => {
      const start = now;
      const result = work();
      pass(commit);
      times.push(now - start);
      return result;
    },
    writeBack: async () => pass(writeBack),
  };
  return {
    pieces: openPieces(parts),
    times,
    pauses,
    pass,
    now: () => now,
    keepBusy: () => {
      isBusy = true;
    },
  };
}

test.each([0.1, 0.5, 1, 3, 7])('a piece of steps of %d ms is too long by at most one step', async (step) => {
  const { pieces, times, pass } = begin();
  let left = 500;
  await pieces.repeat(() => {
    pass(step);
    left -= 1;
    return left > 0;
  });
  expect(left).toBe(0);
  expect(Math.max(...times)).toBeLessThanOrEqual(pieceTime + step);
  if (step < pieceTime) expect(times.length).toBeLessThan(500);
});

test('the time for commits and the log makes pieces shorter', async () => {
  const { pieces, times, pass } = begin({ commit: 1, writeBack: 1 });
  let left = 500;
  await pieces.repeat(() => {
    pass(0.1);
    left -= 1;
    return left > 0;
  });
  const later = times.slice(10, -1);
  expect(Math.max(...later)).toBeLessThan(pieceTime - 0.5);
  expect(Math.min(...later)).toBeGreaterThan(1);
});

test('a read can ask whether its time is over', async () => {
  const { pieces, pass } = begin();
  const steps = await pieces.read((isOver) => {
    let count = 0;
    do {
      pass(0.25);
      count += 1;
    } while (!isOver());
    return count;
  });
  expect(steps * 0.25).toBeLessThanOrEqual(pieceTime);
});

test('pieces follow each other without a pause while the database has no other user', async () => {
  const { pieces, pass, pauses } = begin();
  let left = 100;
  await pieces.repeat(() => {
    pass(1);
    left -= 1;
    return left > 0;
  });
  expect(pauses).toEqual([]);
});

test('the work rests after each piece while the database has other users, but it still ends', async () => {
  const { pieces, pass, pauses, now, times, keepBusy } = begin();
  keepBusy();
  let left = 100;
  const start = now();
  await pieces.repeat(() => {
    pass(1);
    left -= 1;
    return left > 0;
  });
  expect(left).toBe(0);
  expect(Math.max(...pauses)).toBeLessThanOrEqual(quiet);
  const rests = times.length - 1;
  expect(now() - start).toBe(100 + rests * longestRest);
});

test('the work ends between two steps when it is aborted, and with a step that fails', async () => {
  const { pieces, pass } = begin();
  const controller = new AbortController();
  let steps = 0;
  const step = () => {
    pass(pieceTime);
    steps += 1;
    if (steps === 3) controller.abort();
    return steps < 100;
  };
  await pieces.repeat(step, controller.signal);
  expect(steps).toBe(3);
  await pieces.repeat(step, controller.signal);
  expect(steps).toBe(3);
  const fail = () => {
    throw new Error('no');
  };
  await expect(pieces.repeat(fail)).rejects.toThrow('no');
  expect(await pieces.transaction(() => 'still there')).toBe('still there');
});
