import { expect, test } from 'vitest';
import { slotHealth } from '../../../../server/service/replication/postgres/slotHealth.ts';
import type { SourceBacklog } from '../../../../server/service/replication/source.ts';

const ready: SourceBacklog = { kind: 'ready', lagBytes: 3_000_000, status: 'reserved' };

test.each<[string, SourceBacklog | undefined, boolean, string]>([
  ['a source that does not answer', undefined, true, 'warning: The source does not answer'],
  ['a copy that has not begun', { kind: 'absent' }, false, 'ok: The replication slot is created when'],
  ['a slot that somebody dropped', { kind: 'absent' }, true, 'fatal: The replication slot is gone'],
  [
    'a lost slot',
    { kind: 'lost', reason: 'wal_removed' },
    true,
    'fatal: The replication slot is lost (wal_removed)',
  ],
  ['a slot that lags', ready, true, 'ok: The replication slot is healthy, 3 MiB behind.'],
  [
    'a slot that has little room',
    { ...ready, safeBytes: 4, mostBytes: 10 },
    true,
    'warning: 40 % of the WAL',
  ],
  ['a slot that has room', { ...ready, safeBytes: 6, mostBytes: 10 }, true, 'ok: '],
  [
    'a slot about to be lost',
    { ...ready, status: 'unreserved' },
    true,
    'fatal: At its next checkpoint, the source removes',
  ],
])('the health check reports %s', (_, slot, isCopied, expected) => {
  const { level, message } = slotHealth(slot, isCopied);
  expect(`${level}: ${message}`.slice(0, expected.length)).toBe(expected);
});
