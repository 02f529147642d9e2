import { expect, test } from 'vitest';
import { isOfDatabase } from '../../../../server/service/replication/embedded/database/confinement/confine.ts';
import { serviceFiles } from '../../../../server/service/replication/embedded/resetOrder.ts';

const ours = [...serviceFiles, 'lock.sqlite-journal', 'headwater.lock'];

test.each(ours)('%s is not a file of the database, in any case', (name) => {
  expect([name, name.toUpperCase()].map(isOfDatabase)).toEqual([false, false]);
});

test.each([
  '..\\x',
  'x:y',
  'HEADWA~1.PAS',
  'headwater.password.',
  'headwater.password ',
  'x ',
  'x.',
  '\u212a',
  '',
])('%j may be another file to the system', (name) => {
  expect(isOfDatabase(name)).toBe(false);
});

test.each([
  ...[
    'PG_VERSION',
    'base',
    '16384',
    '2619_vm',
    't3_16384.1',
    'pg_internal.init.42',
    'pgsql_tmp1.0',
    'pg_control',
  ],
  ...[
    '000000010000000000000001',
    'xlogtemp.1',
    '0-16B3748.snap',
    'postgresql.auto.conf.tmp',
    'backup_label.old',
  ],
])('%s is a file of the database', (name) => {
  expect(isOfDatabase(name)).toBe(true);
});
