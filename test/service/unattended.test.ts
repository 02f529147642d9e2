/** Nothing that the service does on its own may end its process: `server/service/ground/unattended.ts` runs it. */
import { expect, test } from 'vitest';
import { type Source, sourcesIn } from '../support/house/imports.ts';

/** The embedded database has a process of its own, which is started again when it ends. */
const service = sourcesIn('server/service').filter(
  ({ path }) => !path.startsWith('server/service/replication/embedded/database/'),
);

/** Timers that run something else than a resolved promise, with the reason why that cannot fail. */
const harmlessTimers: Readonly<Record<string, string>> = {
  'server/service/ground/clock.ts': 'resolves a promise',
  'server/service/main.ts': 'does nothing, and keeps the process alive',
  'server/service/http/server.ts': 'closes sockets',
  'server/service/storage/embedded/database.ts': 'resolves a promise',
};

/** Loops whose failure reaches a caller that waits for them, or that only change their own memory. */
const attendedLoops: readonly string[] = [
  'server/service/api/writeRow.ts',
  'server/service/replication/embedded/scripts/loadInTime.ts',
  'server/service/replication/embedded/source.ts',
  'server/service/replication/jobs/',
  'server/service/replication/postgres/log/visibility.ts',
  'server/service/replication/postgres/log/waiting.ts',
  'server/service/storage/compactor.ts',
  'server/service/sync/chunks.ts',
  'server/service/sync/cohorts/alone.ts',
  'server/service/sync/rsocket/connection.ts',
  'server/service/verification/',
];

test('no timer runs anything that could fail', () => {
  const timers = service.filter(({ text }) => /(?<![.\w])set(?:Timeout|Interval)\(/.test(text));
  expect(timers.map(({ path }) => path).toSorted()).toEqual(Object.keys(harmlessTimers).toSorted());
});

test('no promise is left alone', () => {
  expect(service.flatMap(promisesLeftAloneIn)).toEqual([]);
});

test('loops that sleep survive a step that fails', () => {
  expect(service.filter(isUnattended).flatMap(fragileLoopsIn)).toEqual([]);
});

test('the list of attended loops names no others', () => {
  const fragile = service.flatMap(fragileLoopsIn);
  expect(attendedLoops.filter((path) => !fragile.some((loop) => loop.startsWith(path)))).toEqual([]);
});

test.each([
  ['void keep();', promisesLeftAloneIn],
  ['    void clock.sleep(5).then(cutOff);', promisesLeftAloneIn],
  ['add(() => void run(cohort));', promisesLeftAloneIn],
  ['while (!signal.aborted) { sample(); await clock.sleep(5, signal); }', fragileLoopsIn],
  ['for (;;) await clock.sleep(look(), signal);', fragileLoopsIn],
  ['do { call(); await clock.sleep(5); } while (more);', fragileLoopsIn],
])('would be caught: %s', (text, find) => {
  expect(find({ path: 'server/service/x.ts', text, imports: [] })).toHaveLength(1);
});

test.each([
  ['return () => void listeners.delete(listener);', promisesLeftAloneIn],
  ['const close = (): void => {};', promisesLeftAloneIn],
  ['void call(name).catch(() => undefined);', promisesLeftAloneIn],
  ['while (!signal.aborted) { try { sample(); } catch {} await clock.sleep(5, signal); }', fragileLoopsIn],
  ['while (more) { more = step(); }', fragileLoopsIn],
])('is fine: %s', (text, find) => {
  expect(find({ path: 'server/service/x.ts', text, imports: [] })).toEqual([]);
});

function isUnattended({ path }: Source): boolean {
  return (
    path !== 'server/service/ground/unattended.ts' && !attendedLoops.some((each) => path.startsWith(each))
  );
}

/** Finds `void` before a call that returns a promise whose failure is never caught. */
function promisesLeftAloneIn({ path, text }: Source): string[] {
  if (path === 'server/service/ground/unattended.ts') return [];
  const code = text.replace(/\/\*[\s\S]*?\*\/|\/\/.*|`(?:[^`\\]|\\.)*`/g, '');
  return [...code.matchAll(/\bvoid (?=[\w(])(?!\(await )([^;]*?);/g)]
    .map(([, statement = '']) => statement)
    .filter(
      (statement) => !/\.catch\(|\.(?:add|delete|destroy|emit|end|kill|on|run|set)\(|^\w+ \{/.test(statement),
    )
    .map((statement) => `${path}: void ${statement}`);
}

/** Loops with a call of `sleep` in which nothing catches what a step throws. */
function fragileLoopsIn({ path, text }: Source): string[] {
  return [...text.matchAll(/\b(?:while|for|do) ?(?=[({])/g)]
    .map(({ index }) => text.slice(index, endOfLoop(text, index)))
    .filter(
      (loop) =>
        /\bsleep\(/.test(loop) && !/\btry \{|\battempt\(|\bcallSafely\(|\.catch\(|\.then\(/.test(loop),
    )
    .map((loop) => `${path}: ${loop.slice(0, 60)}`);
}

function endOfLoop(text: string, start: number): number {
  let at = text.slice(start).search(/[({]/) + start;
  if (text[at] === '(') at = endOfBlock(text, at, '()');
  const body = /\S/.exec(text.slice(at));
  const bodyAt = at + (body?.index ?? 0);
  return text[bodyAt] === '{' ? endOfBlock(text, bodyAt, '{}') : text.indexOf(';', bodyAt) + 1;
}

function endOfBlock(text: string, start: number, [open, close]: string): number {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    if (text[at] === open) depth += 1;
    if (text[at] === close) depth -= 1;
    if (depth === 0) return at + 1;
  }
  return text.length;
}
