import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import {
  lookAtFiles,
  looksEvery,
  watchScripts,
} from '../../../../server/service/replication/embedded/scripts/scriptWatch.ts';
import { createManualClock } from '../../../support/service/manualClock.ts';

/** Watches scripts that have these states at successive looks, and returns the reported states. */
async function watch(seen: readonly string[], tookMs = 0) {
  const clock = createManualClock();
  const controller = new AbortController();
  onTestFinished(() => controller.abort());
  const told: string[] = [];
  let looks = 0;
  const ended = watchScripts(
    {
      paths: ['db'],
      known: 'a',
      look: async () => {
        looks += 1;
        if (tookMs > 0) await clock.advance(tookMs);
        return seen[looks - 1] ?? seen.at(-1) ?? '';
      },
      clock,
      onChange: async () => void told.push(seen[looks - 1] ?? ''),
    },
    controller.signal,
  );
  // Wait for the end of the first look.
  await new Promise((resolve) => setImmediate(resolve));
  return { clock, told, ended, looks: () => looks, stop: () => controller.abort() };
}

test('a change is reported once, after the files have stopped changing', async () => {
  const { clock, told } = await watch(['a', 'b', 'c', 'c', 'c', 'c']);
  await clock.advance(2 * looksEvery);
  expect(told).toEqual([]);
  await clock.advance(10 * looksEvery);
  expect(told).toEqual(['c']);
});

test('a change between the reading of the scripts and the first look is reported', async () => {
  const { clock, told } = await watch(['b', 'b', 'b']);
  await clock.advance(5 * looksEvery);
  expect(told).toEqual(['b']);
});

test('a file that appears and disappears is not reported', async () => {
  const { clock, told } = await watch(['a', 'b', 'a', 'a']);
  await clock.advance(5 * looksEvery);
  expect(told).toEqual([]);
});

test('looks that take long are made less often', async () => {
  const { clock, looks, stop } = await watch(['a'], looksEvery / 2);
  await clock.advance(9 * looksEvery);
  expect(looks()).toBe(1);
  stop();
});

test('the watch ends at once when it is stopped', async () => {
  const { ended, stop } = await watch(['a']);
  stop();
  await ended;
});

test('a look notices SQL files, but nothing in folders that are never read', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-look-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const write = (path: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), 'SELECT 1;');
  };
  write('db/1.sql');
  const paths = [join(folder, 'db'), join(folder, 'one.sql')];
  const first = await lookAtFiles(paths);
  for (const path of ['db/notes.md', 'db/dist/2.sql', 'db/.old/3.sql']) write(path);
  expect(await lookAtFiles(paths)).toBe(first);
  write('one.sql');
  const second = await lookAtFiles(paths);
  expect(second).not.toBe(first);
  write('db/later/4.sql');
  expect(await lookAtFiles(paths)).not.toBe(second);
});

test('failed looks do not end the watch: the next change is reported', async () => {
  const clock = createManualClock();
  const controller = new AbortController();
  onTestFinished(() => controller.abort());
  const told: string[] = [];
  let looks = 0;
  const look = async (): Promise<string> => {
    looks += 1;
    if (looks < 3) throw Object.assign(new Error('too many open files'), { code: 'EMFILE' });
    return 'b';
  };
  const onChange = async () => void told.push('b');
  void watchScripts({ paths: ['db'], known: 'a', look, clock, onChange }, controller.signal);
  for (let count = 0; count < 10; count += 1) {
    await new Promise((resolve) => setImmediate(resolve));
    await clock.advance(looksEvery);
  }
  expect(told).toEqual(['b']);
});
