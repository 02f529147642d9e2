import { expect, test } from 'vitest';
import { noteInEventLog, openEventLog } from '../../../server/service/watching/eventLog.ts';

const open = () => {
  const clock = { at: 0 };
  return { clock, log: openEventLog({ now: () => clock.at }) };
};

test('The same error is noted once a minute, and other events each time', () => {
  const { clock, log } = open();
  for (const at of [0, 30_000, 61_000]) {
    clock.at = at;
    log.add({ kind: 'error', message: 'No.' });
    log.add({ kind: 'restart', message: 'Again.' });
  }
  expect(log.all().map(({ kind, at }) => [kind, at])).toEqual([
    ['error', 0],
    ['restart', 0],
    ['restart', 30_000],
    ['error', 61_000],
    ['restart', 61_000],
  ]);
});

test('Only the last events are kept, and each is shortened', () => {
  const { log } = open();
  for (let count = 0; count < 600; count += 1) log.add({ kind: 'deploy', message: `${count}`.padEnd(5_000) });
  expect(log.all()).toHaveLength(500);
  expect(log.all()[0]?.message).toHaveLength(1_000);
  expect(log.all().at(-1)?.id).toBe(600);
});

test('Errors and migrations in the log are noted, and the log still gets every line', () => {
  const { log } = open();
  const lines: unknown[] = [];
  const noted = noteInEventLog({ write: (...line) => lines.push(line) }, log);
  noted.write('info', 'Routine', { id: 1 });
  noted.write('info', 'Scripts have run', { happening: 'migration', left_out: 2 });
  noted.write('error', 'It failed', { code: 'SVC_S2401' });
  expect(lines).toEqual([
    ['info', 'Routine', { id: 1 }],
    ['info', 'Scripts have run', { left_out: 2 }],
    ['error', 'It failed', { code: 'SVC_S2401' }],
  ]);
  expect(log.all().map(({ kind, message, code }) => [kind, message, code])).toEqual([
    ['migration', 'Scripts have run', undefined],
    ['error', 'It failed', 'SVC_S2401'],
  ]);
});
