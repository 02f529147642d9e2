import { expect, test } from 'vitest';
import { slotHealth } from '../../../server/service/api/slotHealth.ts';
import type { SlotState } from '../../../server/service/replication/source.ts';

const ready: SlotState = { kind: 'ready', lagBytes: 3_000_000, walStatus: 'reserved' };

test.each<[string, SlotState | undefined, boolean, string]>([
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
    { ...ready, safeWalSize: 4, maxWalSize: 10 },
    true,
    'warning: 40 % of the WAL',
  ],
  ['a slot that has room', { ...ready, safeWalSize: 6, maxWalSize: 10 }, true, 'ok: '],
  [
    'a slot about to be lost',
    { ...ready, walStatus: 'unreserved' },
    true,
    'fatal: At its next checkpoint, the source removes',
  ],
])('the health check reports %s', (_, slot, isCopied, expected) => {
  const { level, message } = slotHealth(slot, isCopied);
  expect(`${level}: ${message}`.slice(0, expected.length)).toBe(expected);
});
