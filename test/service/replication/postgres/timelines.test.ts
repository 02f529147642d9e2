import { expect, test } from 'vitest';
import { timelinesIn } from '../../../../server/service/replication/postgres/history.ts';
import { readLsn } from '../../../../server/service/replication/postgres/lsn.ts';

test('the history of a timeline names the former timelines, and the position at which each was left', () => {
  const text = '1\t0/3000148\tno recovery target specified\n\n2\t1/A2B3C4D\tbefore 2026-01-01 00:00:00+00\n';
  expect(timelinesIn(text)).toEqual([
    { id: '1', end: readLsn('0/3000148') },
    { id: '2', end: readLsn('1/A2B3C4D') },
  ]);
});

test('lines that do not belong to a history are skipped', () => {
  expect(timelinesIn('# a comment\n\nx\t0/1\n')).toEqual([]);
});
