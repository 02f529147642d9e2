/** No failure of background work may end the service, so `server/service/ground/unattended.ts` runs all such work. */
import { expect, test } from 'vitest';
import { type Source, sourcesIn } from '../support/house/imports.ts';

/** The sources without the embedded database, because this database has its own process, which is restarted when it ends. */
const service = sourcesIn('server/service').filter(
  ({ path }) => !path.startsWith('server/service/replication/embedded/database/'),
);

/** The files that use timers, each with the reason why its timers cannot fail. */
const harmlessTimers: Readonly<Record<string, string>> = {
  'server/service/ground/clock.ts': 'resolves a promise',
  'server/service/main.ts': 'does nothing, and keeps the process alive',
  'server/service/http/server.ts': 'closes sockets',
  'server/service/storage/embedded/database.ts': 'resolves a promise',
};

/** The files with loops whose failure reaches a waiting caller, or that only change their own memory. */
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
];

test('no timer runs code that could fail', () => {
  const timers = service.filter(({ text }) => /(?<![.\w])set(?:Timeout|Interval)\(/.test(text));
  expect(timers.map(({ path }) => path).toSorted()).toEqual(Object.keys(harmlessTimers).toSorted());
});

test('no promise is started without handling its failure', () => {
  expect(service.flatMap(promisesLeftAloneIn)).toEqual([]);
});

test('loops that sleep continue after a failed step', () => {
  expect(service.filter(isUnattended).flatMap(fragileLoopsIn)).toEqual([]);
});

test('the list of attended loops names only files with such loops', () => {
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
])('the checks report `%s`', (text, find) => {
  expect(find({ path: 'server/service/x.ts', text, imports: [] })).toHaveLength(1);
});

test.each([
  ['return () => void listeners.delete(listener);', promisesLeftAloneIn],
  ['const close = (): void => {};', promisesLeftAloneIn],
  ['void call(name).catch(() => undefined);', promisesLeftAloneIn],
  ['while (!signal.aborted) { try { sample(); } catch {} await clock.sleep(5, signal); }', fragileLoopsIn],
  ['while (more) { more = step(); }', fragileLoopsIn],
])('the checks accept `%s`', (text, find) => {
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

/** Finds loops that call `sleep` and do not catch the errors of a step. */
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
