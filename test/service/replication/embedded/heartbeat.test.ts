import { expect, test } from 'vitest';
import type { Log } from '../../../../server/service/ground/log.ts';
import { openHeartbeat } from '../../../../server/service/replication/embedded/heartbeat.ts';
import { createManualClock } from '../../../support/service/manualClock.ts';

/** A database that answers when the test says so. */
function openPatient() {
  const clock = createManualClock();
  const closing = new AbortController();
  const asked: { answer(): void; fail(reason: string): void }[] = [];
  const lines: string[] = [];
  const silence = { isThere: false };
  const log: Log = { write: (level, message) => lines.push(`${level}: ${message}`) };
  const heartbeat = openHeartbeat({
    ask: () =>
      new Promise<void>((resolve, reject) =>
        asked.push({ answer: resolve, fail: (reason) => reject(new Error(reason)) }),
      ),
    isSilent: () => silence.isThere,
    explain: () => 'It is busy.',
    clock,
    log,
    signal: closing.signal,
  });
  const states: boolean[] = [];
  heartbeat.watch(() => states.push(heartbeat.isLost()));
  return { heartbeat, clock, asked, lines, states, silence, close: () => closing.abort() };
}

test('Nothing asks the database before something needs it, and nothing after it is closed', async () => {
  const { heartbeat, clock, asked, close } = openPatient();
  await clock.advance(60_000);
  expect(asked).toHaveLength(0);
  heartbeat.begin();
  heartbeat.begin();
  await clock.advance(2_000);
  expect(asked).toHaveLength(1);
  close();
  asked[0]?.answer();
  await clock.advance(60_000);
  expect(asked).toHaveLength(1);
  expect(clock.sleeping()).toBe(0);
});

test('A database that does not answer for ten seconds is lost until it answers', async () => {
  const { heartbeat, clock, asked, lines, states } = openPatient();
  heartbeat.begin();
  await clock.advance(2_000 + 8_000);
  expect(states).toEqual([]);
  await clock.advance(2_000);
  expect(states).toEqual([true]);
  expect(asked).toHaveLength(1);
  asked[0]?.answer();
  await clock.advance(1);
  expect(states).toEqual([true, false]);
  expect(lines).toEqual([
    'warn: The embedded database does not answer, so the service is not ready. It is busy.',
    'info: The embedded database answers again.',
  ]);
});

test('A database without a sign of life is lost with the next beat', async () => {
  const { heartbeat, clock, asked, states, silence } = openPatient();
  heartbeat.begin();
  await clock.advance(2_000);
  silence.isThere = true;
  await clock.advance(1_000);
  expect(states).toEqual([true]);
  silence.isThere = false;
  asked[0]?.answer();
  await clock.advance(1);
  expect(states).toEqual([true, false]);
});

test('The time before an answer does not count for the next question', async () => {
  const { heartbeat, clock, asked, states } = openPatient();
  heartbeat.begin();
  for (let at = 0; at < 4; at += 1) {
    await clock.advance(8_000);
    asked[at]?.answer();
    await clock.advance(1);
  }
  expect(states).toEqual([]);
});

test('A database that cannot be opened is lost at once, and asked less and less often', async () => {
  const { heartbeat, clock, asked, lines, states } = openPatient();
  heartbeat.begin();
  const pauses: number[] = [];
  let last = 0;
  for (let second = 2; second <= 200; second += 2) {
    await clock.advance(2_000);
    if (asked.length === pauses.length) continue;
    pauses.push(second - last);
    last = second;
    asked.at(-1)?.fail('No space is left.');
    await clock.advance(0);
  }
  expect(pauses).toEqual([2, 2, 4, 8, 16, 32, 32, 32, 32, 32]);
  expect(states).toEqual([true]);
  expect(lines).toEqual([
    'warn: The embedded database does not answer, so the service is not ready. No space is left.',
  ]);
});
