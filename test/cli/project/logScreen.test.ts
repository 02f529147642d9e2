/** The lines of the service's log that `headwater dev` shows, and their form. */
import { expect, test } from 'vitest';
import { logScreen } from '../../../client/cli/serve/logScreen.ts';
import type { World } from '../../../client/cli/world.ts';

type Option = 'verbose' | 'quiet' | 'json';

function screenOf(options: readonly Option[], env: Readonly<Record<string, string>> = {}) {
  const shown: string[] = [];
  const screen = logScreen({
    has: (option) => options.includes(option as Option),
    progress: { show: () => {}, end: () => shown.push('(progress ends)') },
    world: {
      env,
      terminal: { errors: false },
      complain: (line: string) => shown.push(line),
    } as unknown as World,
  });
  return { screen, shown };
}

function line(level: string, message: string, facts: object = {}): string {
  return JSON.stringify({ ...facts, timestamp: '2026-01-02T03:04:05.678Z', level, message });
}

const time = new Date('2026-01-02T03:04:05.678Z').toTimeString().slice(0, 8);
const log = [
  line('info', 'Copied a table', { table: 'public.a', rows: 2 }),
  line('info', 'GET /sync/stream', { id: 'x', status: 200, ms: 3 }),
  line('warn', 'POST /sync/stream', { status: 500 }),
  line('error', 'Something failed', { stack: 'Error: a\nat b' }),
];
const event = `${time} Copied a table table=public.a rows=2`;
const request = `${time} GET /sync/stream id=x status=200 ms=3`;
const problems = [`${time} POST /sync/stream status=500`, `${time} Something failed\n    Error: a\n    at b`];

test.each<[string, readonly Option[], readonly string[]]>([
  ['without requests', [], [event, ...problems]],
  ['all of it', ['verbose'], [event, request, ...problems]],
  ['only problems', ['quiet'], problems],
])('Shows %s with the options %j', (_, options, expected) => {
  const { screen, shown } = screenOf(options);
  for (const each of log) screen?.onLine(each);
  expect(shown.filter((each) => each !== '(progress ends)')).toEqual(expected);
});

test('Ends the progress line before it shows a line', () => {
  const { screen, shown } = screenOf([]);
  for (const each of log.slice(0, 2)) screen?.onLine(each);
  expect(shown).toEqual(['(progress ends)', event]);
});

test.each(['Killed', '{"timestamp": 5}', '{ broken', ''])(
  'Shows a line that is not of the log: %j',
  (text) => {
    const { screen, shown } = screenOf([]);
    screen?.onLine(text);
    expect(shown.at(-1)).toBe(text);
  },
);

test('Shows no control characters', () => {
  const { screen, shown } = screenOf([]);
  screen?.onLine(line('info', 'a\u001b[2Jb', { table: '\u0007' }));
  expect(shown.at(-1)).toBe(`${time} a\ufffd[2Jb table=\ufffd`);
});

test('Leaves the log as it is for programs, and in a format that the user has chosen', () => {
  expect(screenOf(['json']).screen).toBeUndefined();
  expect(screenOf([], { PS_LOG_FORMAT: 'text' }).screen).toBeUndefined();
});
