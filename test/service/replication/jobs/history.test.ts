import { expect, test } from 'vitest';
import {
  awaitReunion,
  breakIn,
  checkHistory,
  provenanceOf,
  strayFrom,
} from '../../../../server/service/replication/jobs/history.ts';
import { explainBreak } from '../../../../server/service/replication/postgres/explainBreak.ts';
import { toLsn } from '../../../../server/service/replication/postgres/lsn.ts';
import type { SourceFailure } from '../../../../server/service/replication/source.ts';
import type { Deployment, PassedLog } from '../../../../server/service/storage/deployment.ts';
import type { DeploymentStore } from '../../../../server/service/storage/storage.ts';
import { createMemorySource } from '../../../support/service/memorySource.ts';

const at = (position: number) => toLsn(BigInt(position));
const passed = (acknowledged: number, last: number) => ({ acknowledged: at(acknowledged), last: at(last) });

test.each([
  ['a slot at the position of the storage fits', passed(7, 7), 7, 9, undefined],
  ['a slot behind the storage fits, because it only repeats known events', passed(7, 7), 5, 9, undefined],
  ['a slot ahead of the storage means that the storage is outdated', passed(7, 7), 8, 9, 'storage-outdated'],
  [
    'a log that ends before the position that was read is another history',
    passed(7, 7),
    5,
    6,
    'other-history',
  ],
  ['a log whose end is unknown, such as that of a replica, fits', passed(7, 7), 5, undefined, undefined],
  [
    'a log that ends before the last event, which was not acknowledged, is another history',
    passed(5, 7),
    5,
    6,
    'other-history',
  ],
  [
    'a log that ends before the position of a copy is another history',
    passed(7, 7),
    5,
    9,
    'other-history',
    10,
  ],
  ['a log that continues after the position of a copy fits', passed(7, 7), 5, 9, undefined, 8],
  ['a slot that was being created fits', passed(0, 0), 5, 9, undefined],
])('%s', (_, known, confirmed, end, kind, copied?: number) => {
  const found = breakIn({
    deploymentName: 's',
    isBegun: true,
    passed: known,
    copied: copied === undefined ? undefined : at(copied),
    confirmed: at(confirmed),
    end: end === undefined ? undefined : at(end),
  });
  expect(found?.kind).toBe(kind);
});

test.each([
  ['that an earlier release has filled fits', true, undefined],
  ['that has not begun means that the storage is outdated', false, 'storage-outdated'],
])('a slot of a storage %s', (_, isBegun, kind) => {
  const found = breakIn({ deploymentName: 's', isBegun, passed: undefined, confirmed: at(5), end: at(9) });
  expect(found?.kind).toBe(kind);
});

const reunionAfter = (known: PassedLog | undefined, confirmed: number) =>
  awaitReunion({ deploymentName: 's', passed: known, confirmed: at(confirmed), explain: explainBreak });

test('a history fits if the last event that was read comes again at the same position', () => {
  const reunion = reunionAfter(passed(7, 6), 3);
  for (const [position, isEvent] of [
    [4, true],
    [6, false],
  ] as const) {
    reunion.pass(at(position), isEvent ? { position: at(position) } : undefined);
    expect(reunion.isOver()).toBe(false);
  }
  reunion.pass(at(6), { position: at(6) });
  expect(reunion.isOver()).toBe(true);
  reunion.pass(at(9), { position: at(9) });
});

test('a log that passes the position of the last event without sending that event is another history', () => {
  const reunion = reunionAfter(passed(7, 6), 3);
  reunion.pass(at(5), { position: at(5) });
  expect(() => reunion.pass(at(8), undefined)).toThrow('[SVC_S1500]');
});

test('no event is awaited if all events were acknowledged', () => {
  expect(reunionAfter(passed(7, 6), 6).isOver()).toBe(true);
  expect(reunionAfter(undefined, 6).isOver()).toBe(true);
});

const marked = (mark: string, last = 7) => ({ ...passed(7, last), mark });

test.each([
  ['the same one', 'ours', 6, undefined],
  ['another one at the same position', 'theirs', 6, '[SVC_S1500]'],
  ['another one that spans that position', 'theirs', 5, '[SVC_S1500]'],
])('the last event comes again, and is %s', (_, mark, from, failure) => {
  const reunion = reunionAfter(marked('ours'), 3);
  const place = failure === undefined ? 7 : 8;
  const read = () => reunion.pass(at(place), { position: at(place), from: at(from), mark });
  if (failure !== undefined) return void expect(read).toThrow(failure);
  read();
  expect(reunion.isOver()).toBe(true);
});

test('a partly stored transaction is recognized by the position at which its commit begins', () => {
  const reunion = reunionAfter(marked('ours'), 3);
  reunion.pass(at(9), { position: at(9), from: at(6), mark: 'ours' });
  expect(reunion.isOver()).toBe(true);
});

const branches = [{ id: '1', end: at(7) }, { id: '2', end: at(9) }, { id: '3' }];

test.each([
  ['is unknown, as after an earlier release', undefined, 9, undefined],
  ['is the current timeline', { system: 'a', branch: '3' }, 99, undefined],
  ['was left at the position that had been read', { system: 'a', branch: '1' }, 7, undefined],
  ['was left before the position that had been read', { system: 'a', branch: '1' }, 8, 'other-history'],
  ['is not among the former timelines', { system: 'a', branch: '4' }, 1, 'other-history'],
  ['is of another system', { system: 'b', branch: '3' }, 1, 'other-history'],
  ['is unknown, as that of a replica', { system: 'a' }, 99, undefined],
])('the log that was read %s', (_, origin, last, kind) => {
  const record = { ...(origin && { origin }), passed: passed(last, last) };
  expect(strayFrom(record, { system: 'a', branches })?.kind).toBe(kind);
});

test.each([
  ['that ends after its timeline is of another history', 8, 4, 'other-history'],
  ['that ends after its timeline fits if it has already become a checkpoint', 8, 8, undefined],
  ['that ends before the end of its timeline fits', 7, 4, undefined],
])('a copy %s', (_, noCheckpointBefore, lastCheckpointPosition, kind) => {
  const record = {
    origin: { system: 'a', branch: '1' },
    passed: passed(3, 3),
    noCheckpointBefore: at(noCheckpointBefore),
    lastCheckpointPosition: at(lastCheckpointPosition),
  };
  expect(strayFrom(record, { system: 'a', branches })?.kind).toBe(kind);
});

test('the timeline of a replica is neither compared nor stored', () => {
  expect(strayFrom({ origin: { system: 'a', branch: '4' } }, { system: 'a' })).toBeUndefined();
  expect(provenanceOf({ system: 'a' })).toEqual({ system: 'a' });
  expect(provenanceOf({ system: 'a', branches })).toEqual({ system: 'a', branch: '3' });
});

test.each([
  ['the same source fits', { origin: { system: 'memory' } }, undefined],
  ['another source is of another history', { origin: { system: 'other' } }, 'other-history'],
  [
    'a source that was read further than the storage means that the storage is outdated',
    { passed: passed(3, 3) },
    'storage-outdated',
  ],
])('a slot of %s', async (_, known, kind) => {
  const source = createMemorySource();
  source.slots.set('s', { confirmed: at(5), active: false });
  const record = { ...known, id: 1, deploymentName: 's', state: 'active', snapshotDone: true } as Deployment;
  const store = { all: async () => [record] } as unknown as DeploymentStore;
  const failure = await checkHistory(source, store, record).then(
    () => undefined,
    (error: SourceFailure) => error.kind,
  );
  expect(failure).toBe(kind);
});

test.each([
  ['gone, means that the storage is outdated', [], 'storage-outdated'],
  ['there, fits', ['s1'], undefined],
])(
  'a slot whose beginning is not stored, while the slot of the served deployment is %s',
  async (_, others, kind) => {
    const source = createMemorySource();
    for (const name of ['s2', ...others]) source.slots.set(name, { confirmed: at(5), active: false });
    const served = { id: 1, deploymentName: 's1', state: 'errored', snapshotDone: true } as Deployment;
    const pending = { id: 2, deploymentName: 's2', state: 'processing', passed: passed(0, 0) } as Deployment;
    const store = { all: async () => [served, pending] } as unknown as DeploymentStore;
    const failure = await checkHistory(source, store, pending).then(
      () => undefined,
      (error: SourceFailure) => error.kind,
    );
    expect(failure).toBe(kind);
  },
);
