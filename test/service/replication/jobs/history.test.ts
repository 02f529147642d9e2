import { expect, test } from 'vitest';
import { toLsn } from '../../../../server/service/ground/lsn.ts';
import {
  awaitReunion,
  breakIn,
  checkHistory,
  provenanceOf,
  strayFrom,
} from '../../../../server/service/replication/jobs/history.ts';
import type { SourceFailure } from '../../../../server/service/replication/source.ts';
import type { Deployment } from '../../../../server/service/storage/deployment.ts';
import type { DeploymentStore } from '../../../../server/service/storage/storage.ts';
import { createMemorySource } from '../../../support/service/memorySource.ts';

const at = (position: number) => toLsn(BigInt(position));
const passed = (acknowledged: number, last: number) => ({ acknowledged: at(acknowledged), last: at(last) });

test.each([
  ['the slot is where the storage is', passed(7, 7), 7, 9, undefined],
  ['the slot is behind: what comes again is known', passed(7, 7), 5, 9, undefined],
  ['the slot is ahead', passed(7, 7), 8, 9, 'storage-outdated'],
  ['the log ends before what was read of it', passed(7, 7), 5, 6, 'other-history'],
  ['where the log ends says nothing, as of a replica', passed(7, 7), 5, undefined, undefined],
  ['the log ends before the last event, which is not acknowledged', passed(5, 7), 5, 6, 'other-history'],
  ['the log ends before what a copy has read', passed(7, 7), 5, 9, 'other-history', 10],
  ['the log goes on after what a copy has read', passed(7, 7), 5, 9, undefined, 8],
  ['the slot was being made', passed(0, 0), 5, 9, undefined],
])('%s', (_, known, confirmed, end, kind, copied?: number) => {
  const found = breakIn({
    slot: 's',
    isBegun: true,
    passed: known,
    copied: copied === undefined ? undefined : at(copied),
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
    reunion.pass(at(position), isEvent ? { lsn: at(position) } : undefined);
    expect(reunion.isOver()).toBe(false);
  }
  reunion.pass(at(6), { lsn: at(6) });
  expect(reunion.isOver()).toBe(true);
  reunion.pass(at(9), { lsn: at(9) });
});

test('a log that goes past it without it is another one', () => {
  const reunion = awaitReunion('s', passed(7, 6), at(3));
  reunion.pass(at(5), { lsn: at(5) });
  expect(() => reunion.pass(at(8), undefined)).toThrow('[SVC_S1500]');
});

test('nothing is waited for when all of it was acknowledged', () => {
  expect(awaitReunion('s', passed(7, 6), at(6)).isOver()).toBe(true);
  expect(awaitReunion('s', undefined, at(6)).isOver()).toBe(true);
});

const marked = (mark: string, last = 7) => ({ ...passed(7, last), mark });

test.each([
  ['the same one', 'ours', 6, undefined],
  ['another one at the same place', 'theirs', 6, '[SVC_S1500]'],
  ['another one that lies across that place', 'theirs', 5, '[SVC_S1500]'],
])('the last event comes again, and is %s', (_, mark, from, failure) => {
  const reunion = awaitReunion('s', marked('ours'), at(3));
  const place = failure === undefined ? 7 : 8;
  const read = () => reunion.pass(at(place), { lsn: at(place), from: at(from), mark });
  if (failure !== undefined) return void expect(read).toThrow(failure);
  read();
  expect(reunion.isOver()).toBe(true);
});

test('a transaction that was stored in part is known by where its commit begins', () => {
  const reunion = awaitReunion('s', marked('ours'), at(3));
  reunion.pass(at(9), { lsn: at(9), from: at(6), mark: 'ours' });
  expect(reunion.isOver()).toBe(true);
});

const timelines = [{ id: '1', end: at(7) }, { id: '2', end: at(9) }, { id: '3' }];

test.each([
  ['is not known, as of an earlier release', undefined, 9, undefined],
  ['is the present one', { system: 'a', timeline: '3' }, 99, undefined],
  ['was left where it had been read to', { system: 'a', timeline: '1' }, 7, undefined],
  ['was left before what was read of it', { system: 'a', timeline: '1' }, 8, 'other-history'],
  ['is not among those that lead here', { system: 'a', timeline: '4' }, 1, 'other-history'],
  ['is of another system', { system: 'b', timeline: '3' }, 1, 'other-history'],
  ['is not known, as of a replica', { system: 'a' }, 99, undefined],
])('the log that was read %s', (_, origin, last, kind) => {
  const record = { ...(origin && { origin }), passed: passed(last, last) };
  expect(strayFrom(record, { system: 'a', timelines })?.kind).toBe(kind);
});

test.each([
  ['ends after the timeline that it was read from', 8, 4, 'other-history'],
  ['ends there, but has become a checkpoint long ago', 8, 8, undefined],
  ['ends before', 7, 4, undefined],
])('a copy that %s', (_, noCheckpointBefore, lastCheckpointLsn, kind) => {
  const record = {
    origin: { system: 'a', timeline: '1' },
    passed: passed(3, 3),
    noCheckpointBefore: at(noCheckpointBefore),
    lastCheckpointLsn: at(lastCheckpointLsn),
  };
  expect(strayFrom(record, { system: 'a', timelines })?.kind).toBe(kind);
});

test('what a replica follows is not compared, and not remembered', () => {
  expect(strayFrom({ origin: { system: 'a', timeline: '4' } }, { system: 'a' })).toBeUndefined();
  expect(provenanceOf({ system: 'a' })).toEqual({ system: 'a' });
  expect(provenanceOf({ system: 'a', timelines })).toEqual({ system: 'a', timeline: '3' });
});

test.each([
  ['the same source', { origin: { system: 'memory' } }, undefined],
  ['another source', { origin: { system: 'other' } }, 'other-history'],
  ['a source of which an unknown slot was read further', { passed: passed(3, 3) }, 'storage-outdated'],
])('a slot of %s', async (_, known, kind) => {
  const source = createMemorySource();
  source.slots.set('s', { confirmed: at(5), active: false });
  const record = { ...known, id: 1, slotName: 's', state: 'active', snapshotDone: true } as Deployment;
  const store = { all: async () => [record] } as unknown as DeploymentStore;
  const failure = await checkHistory(source, store, record).then(
    () => undefined,
    (error: SourceFailure) => error.kind,
  );
  expect(failure).toBe(kind);
});

test.each([
  ['gone', [], 'storage-outdated'],
  ['there', ['s1'], undefined],
])(
  'a slot whose beginning is not stored, while the slot of the served deployment is %s',
  async (_, others, kind) => {
    const source = createMemorySource();
    for (const name of ['s2', ...others]) source.slots.set(name, { confirmed: at(5), active: false });
    const served = { id: 1, slotName: 's1', state: 'errored', snapshotDone: true } as Deployment;
    const pending = { id: 2, slotName: 's2', state: 'processing', passed: passed(0, 0) } as Deployment;
    const store = { all: async () => [served, pending] } as unknown as DeploymentStore;
    const failure = await checkHistory(source, store, pending).then(
      () => undefined,
      (error: SourceFailure) => error.kind,
    );
    expect(failure).toBe(kind);
  },
);
