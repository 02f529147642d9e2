import { describe, expect, test } from 'vitest';
import type { Log } from '../../../server/service/ground/log.ts';
import { type LogOptions, openLog } from '../../../server/service/ground/logLines.ts';

const start = Date.parse('2026-01-01T00:00:00Z');

function lines(act: (log: Log) => void, options: Partial<LogOptions> = {}): readonly string[] {
  const printed: string[] = [];
  const print = (line: string) => printed.push(line);
  act(
    openLog({ level: 'info', format: 'text', secrets: [], print, clock: { now: () => start }, ...options }),
  );
  return printed;
}

test('the text format has one readable line per message, and indents stacks below it', () => {
  const printed = lines((log) => {
    log.write('info', 'Ready', {
      port: 8080,
      url: 'http://a/b',
      name: 'two words',
      none: undefined,
      on: true,
    });
    log.write('error', 'Failed', { stack: 'Error: x\n  at y' });
  });
  expect(printed).toEqual([
    '2026-01-01T00:00:00.000Z info  Ready port=8080 url=http://a/b name="two words" on=true',
    '2026-01-01T00:00:00.000Z error Failed\n    Error: x\n      at y',
  ]);
});

test('the JSON format has one object per line', () => {
  const [line = ''] = lines((log) => log.write('warn', 'a\nb', { code: 'X', level: 'mine' }), {
    format: 'json',
  });
  expect(line).not.toContain('\n');
  expect(JSON.parse(line)).toEqual({
    timestamp: '2026-01-01T00:00:00.000Z',
    level: 'warn',
    message: 'a\nb',
    code: 'X',
  });
});

test.each([
  ['silly', 4],
  ['debug', 4],
  ['verbose', 4],
  ['http', 3],
  ['info', 3],
  ['warn', 2],
  ['error', 1],
])('the level %s prints %i of four lines', (level, count) => {
  const act = (log: Log): void => {
    for (const each of ['debug', 'info', 'warn', 'error'] as const) log.write(each, 'x');
  };
  expect(lines(act, { level })).toHaveLength(count);
});

test('text from the network cannot look like a separate line', () => {
  const [line] = lines((log) => log.write('info', 'GET /a\n2026 error x\u001b[2J'));
  expect(line).toBe('2026-01-01T00:00:00.000Z info  GET /a\\n2026 error x\\u001b[2J');
});

describe('secrets in a message', () => {
  const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ1In0.c2lnbmF0dXJl';

  test.each([
    ['a known secret', 'it is hunter2-long', 'it is [secret]'],
    ['a JWT', `got ${jwt}.`, 'got [token].'],
    ['a token after Bearer', 'Authorization: Bearer abc', 'Authorization: Bearer [token]'],
    ['a password in a URI', 'postgres://user:p%40ss@host/db', 'postgres://user:[secret]@host/db'],
  ])('are replaced: %s', (_, message, shown) => {
    const secrets = ['hunter2-long'];
    expect(lines((log) => log.write('info', message), { secrets })[0]).toContain(`info  ${shown}`);
    const [line = ''] = lines((log) => log.write('info', 'x', { fact: message }), {
      secrets,
      format: 'json',
    });
    expect(JSON.parse(line).fact).toBe(shown);
  });
});
