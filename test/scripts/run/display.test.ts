import { expect, test } from 'vitest';
import { Display } from '../../../scripts/run/display.ts';
import { nothing } from '../../../scripts/run/tally.ts';

function openDisplay(isTTY = false) {
  let [text, time] = ['', 0];
  const screen = {
    write(part: string) {
      text += part;
    },
    isTTY,
    columns: 60,
  };
  const display = new Display(screen, () => time);
  const finish = (file: string, seconds: number, failed = 0) => {
    time += seconds * 1000;
    display.take('service', { kind: 'ended', file, tally: { ...nothing, passed: 2, failed }, seconds });
  };
  return { display, finish, text: () => text };
}

test('a file gets a line when it has ended, unless it passed in less than a second', () => {
  const { display, finish, text } = openDisplay();
  display.take('service', { kind: 'started', file: 'a' });
  finish('a', 12.34);
  finish('quick', 0.1);
  finish('quick and wrong', 0.1, 1);
  expect(text().split('\n')).toEqual([
    'ok       12.3 s service: a  2 passed, 0 failed',
    'FAILED    0.1 s service: quick and wrong  2 passed, 1 failed',
    '',
  ]);
});

test('a terminal also shows the running files and the remaining time', () => {
  const { display, finish, text } = openDisplay(true);
  display.take('service', { kind: 'files', count: 3 });
  display.take('service', { kind: 'started', file: 'a' });
  display.take('service', { kind: 'started', file: 'b' });
  finish('a', 60);
  expect(text().split('\r\x1b[K').at(-1)).toBe('1 of 3 files, 1 min, about 2 min left · service: b');
});

test('a rig shows failures, second tries and skips, but not each test that passes', () => {
  const { display, text } = openDisplay();
  const read = display.readRig('workbench');
  read('  ✔ one (5 ms)\n  ↻ two failed and is tried ag');
  read(
    'ain\nError: not visible\n  ✔ two (9 ms)\nnoise\n  ✖ three\nError: why\n  – four\n  ■ e2e/start, 3.0 s\n',
  );
  read('SKIPPED workbench: Chromium is missing.\n');
  expect(text().trimEnd().split('\n')).toEqual([
    'workbench: ↻ two failed and is tried again',
    'workbench: Error: not visible',
    'workbench: ✖ three',
    'workbench: Error: why',
    'workbench: ■ e2e/start, 3.0 s',
    'workbench: SKIPPED workbench: Chromium is missing.',
  ]);
  expect(display.secondTries).toBe(1);
  expect(display.failures()).toEqual(['workbench: ✖ three', 'workbench: Error: why']);
});

test('the beginning of each failure is kept for the end', () => {
  const { display } = openDisplay();
  const stack = Array.from({ length: 40 }, (_, n) => `    at ${n}`);
  display.take('service', { kind: 'failure', text: ['✖ a > b', 'expected 1 to be 2', ...stack].join('\n') });
  display.take('service', { kind: 'failure', text: '✖ c' });
  expect(display.failures()).toEqual(['✖ a > b', 'expected 1 to be 2', ...stack.slice(0, 6), '✖ c']);
});

test('the slowest files come first', () => {
  const { display, finish } = openDisplay();
  finish('a', 2);
  finish('b', 30);
  finish('c', 4);
  expect(display.slowest(2)).toEqual(['  30.0 s service: b', '   4.0 s service: c']);
});
