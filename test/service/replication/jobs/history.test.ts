import { expect, test } from 'vitest';
import { toLsn } from '../../../../server/service/ground/lsn.ts';
import { awaitReunion, breakIn } from '../../../../server/service/replication/jobs/history.ts';

const at = (position: number) => toLsn(BigInt(position));
const passed = (acknowledged: number, last: number) => ({ acknowledged: at(acknowledged), last: at(last) });

test.each([
  ['the slot is where the storage is', passed(7, 7), 7, 9, undefined],
  ['the slot is behind: what comes again is known', passed(7, 7), 5, 9, undefined],
  ['the slot is ahead', passed(7, 7), 8, 9, 'storage-outdated'],
  ['the log ends before what was read of it', passed(7, 7), 5, 6, 'other-history'],
  ['where the log ends says nothing, as of a replica', passed(7, 7), 5, undefined, undefined],
  ['the slot was being made', passed(0, 0), 5, 9, undefined],
])('%s', (_, known, confirmed, end, kind) => {
  const found = breakIn({
    slot: 's',
    isBegun: true,
    passed: known,
    confirmed: at(confirmed),
    end: end === undefined ? undefined : at(end),
  });
  expect(found?.kind).toBe(kind);
});

test.each([
  ['of an earlier release, which has copied', true, undefined],
  ['that has not begun', false, 'storage-outdated'],
])('a slot of a storage %s', (_, isBegun, kind) => {
  const found = breakIn({ slot: 's', isBegun, passed: undefined, confirmed: at(5), end: at(9) });
  expect(found?.kind).toBe(kind);
});

test('what was read comes again, from the same place', () => {
  const reunion = awaitReunion('s', passed(7, 6), at(3));
  for (const [position, isEvent] of [
    [4, true],
    [6, false],
  ] as const) {
    reunion.pass(at(position), isEvent);
    expect(reunion.isOver()).toBe(false);
  }
  reunion.pass(at(6), true);
  expect(reunion.isOver()).toBe(true);
  reunion.pass(at(9), true);
});

test('a log that goes past it without it is another one', () => {
  const reunion = awaitReunion('s', passed(7, 6), at(3));
  reunion.pass(at(5), true);
  expect(() => reunion.pass(at(8), false)).toThrow('[SVC_S1500]');
});

test('nothing is waited for when all of it was acknowledged', () => {
  expect(awaitReunion('s', passed(7, 6), at(6)).isOver()).toBe(true);
  expect(awaitReunion('s', undefined, at(6)).isOver()).toBe(true);
});
