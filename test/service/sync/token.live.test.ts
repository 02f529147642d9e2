import { expect, test } from 'vitest';
import { startSyncing } from '../../support/clients/syncing.ts';
import type { SyncStream } from '../../support/clients/syncStream.ts';
import { createManualClock } from '../../support/service/manualClock.ts';

const config =
  'config:\n  edition: 3\nstreams:\n  all:\n    auto_subscribe: true\n    query: SELECT * FROM lists\n';

const leftOf = ({ lines }: SyncStream) => lines.flatMap((line) => line.token_expires_in ?? []);

async function start(seconds: number) {
  const clock = createManualClock();
  const syncing = await startSyncing({ config, clock });
  syncing.users.set('user1', { expiresAt: clock.now() / 1000 + seconds });
  return { ...syncing, clock };
}

test('a stream reports about every 20 s how long its token is still valid', async () => {
  const { clock, stream: open } = await start(3600);
  const stream = await open();
  await stream.until(({ lines }) => lines.length === 2);
  await clock.advance(66_000);
  await stream.until(() => leftOf(stream).length === 3);
  const [first = 0, second = 0, third = 0] = leftOf(stream) as number[];
  for (const gap of [3600 - first, first - second, second - third]) {
    expect(gap).toBeGreaterThanOrEqual(17);
    expect(gap).toBeLessThanOrEqual(23);
  }
});

test('a stream reports when its token expires in 20 s and in 0 s, and then ends normally', async () => {
  const { clock, stream: open } = await start(30);
  const stream = await open();
  await stream.until(({ lines }) => lines.length === 2);
  await clock.advance(10_000);
  await stream.until(() => leftOf(stream).length === 1);
  expect(leftOf(stream)).toEqual([20]);
  await clock.advance(20_000);
  expect(await stream.ended).toBe('end');
  expect(leftOf(stream).at(-1)).toBe(0);
});

test('a stream for a token that has just expired has only a line with 0 s', async () => {
  const { stream: open } = await start(-5);
  const stream = await open();
  expect(await stream.ended).toBe('end');
  expect(stream.lines).toEqual([{ token_expires_in: 0 }]);
});

const day = 86_400_000;

test('a stream continues its reports after the clock was set back by a day', async () => {
  const { clock, stream: open } = await start(3600);
  const stream = await open();
  await stream.until(({ lines }) => lines.length === 2);
  clock.set(-day);
  await clock.advance(66_000);
  await stream.until(() => leftOf(stream).length === 3);
});

test('a stream ends soon after the clock was set ahead, past the expiry of its token', async () => {
  const { clock, stream: open } = await start(3600);
  const stream = await open();
  await stream.until(({ lines }) => lines.length === 2);
  clock.set(day);
  await clock.advance(23_000);
  expect(await stream.ended).toBe('end');
  expect(leftOf(stream).at(-1)).toBe(0);
});
