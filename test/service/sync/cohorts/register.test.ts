/** The index of cohorts: the cohort that a client can join, and the cohorts of a bucket. */
import { expect, test } from 'vitest';
import { type Cohort, createRegister, openCohort } from '../../../../server/service/sync/cohorts/register.ts';
import { jsonEncoder } from '../../../../server/service/sync/encode/encoder.ts';
import type { BucketEntry } from '../../../../server/service/sync/protocol.ts';
import type { Level } from '../../../../server/service/sync/session.ts';

function levelAt(checksum: number, ...buckets: readonly string[]): Level {
  const entries = buckets.map((bucket): [string, BucketEntry] => [
    bucket,
    { bucket, checksum, count: 1, priority: 3, subscriptions: [] },
  ]);
  const view = { opId: checksum, writeCheckpoint: 7n, buckets: new Map(entries), streams: [] };
  const positions = new Map(buckets.map((bucket) => [bucket, 1]));
  return { kind: 'waiting', told: { view, positions, unfinished: [], open: false, notBefore: 0 } };
}

function cohortOf(key: string, session: Level): Cohort {
  const given = { buckets: [], streams: [], refusals: [], lookups: new Set<string>() };
  return openCohort({ key, served: { deployment: 1, revision: 0 }, encoder: jsonEncoder, given }, session);
}

test('a client joins a cohort with its key and at its position that is not taking a step', () => {
  const register = createRegister();
  const one = register.add(cohortOf('k', levelAt(1, 'a')));
  const other = register.add(cohortOf('k', levelAt(2, 'a')));
  expect(register.levelWith('k', levelAt(1, 'a'))).toBe(one);
  expect(register.levelWith('k', levelAt(2, 'a'))).toBe(other);
  expect(register.levelWith('k', levelAt(3, 'a'))).toBeUndefined();
  expect(register.levelWith('l', levelAt(1, 'a'))).toBeUndefined();
  expect(register.levelWith('k', levelAt(1, 'a'), one)).toBeUndefined();
  one.state = 'stepping';
  expect(register.levelWith('k', levelAt(1, 'a'))).toBeUndefined();
  one.state = 'pausing';
  expect(register.levelWith('k', levelAt(1, 'a'))).toBe(one);
});

test('a cohort is found by its buckets until it is deleted', () => {
  const register = createRegister();
  const one = register.add(cohortOf('k', levelAt(1, 'a', 'b')));
  const other = register.add(cohortOf('k', levelAt(2, 'a')));
  const third = register.add(cohortOf('l', levelAt(3, 'a')));
  expect(new Set(register.byBucket.of('a'))).toEqual(new Set([one, other, third]));
  register.delete(one);
  expect(register.all()).toEqual([other, third]);
  expect(register.byBucket.of('b')).toEqual([]);
  register.delete(one);
  expect(register.all()).toEqual([other, third]);
  register.delete(other);
  expect(register.all()).toEqual([third]);
  expect(register.levelWith('k', levelAt(2, 'a'))).toBeUndefined();
});
