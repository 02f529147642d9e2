import { DatabaseError } from 'pg';
import { describe, expect, test } from 'vitest';
import type { PostgresServer } from '../../../../server/service/config/settings.ts';
import {
  isAboutSkippedPublication,
  toSourceFailure,
} from '../../../../server/service/replication/postgres/sourceFailures.ts';

const server: PostgresServer = {
  hostname: 'db.example',
  port: 5432,
  username: 'ada',
  password: '',
  database: 'app',
  tls: { mode: 'disable' },
  rejectIpRanges: [],
  maxPoolSize: 1,
  connectTimeoutSeconds: 1,
};

function kindOf(report: Partial<DatabaseError>): string {
  const error = Object.assign(new DatabaseError(report.message ?? '', 0, 'error'), report);
  return toSourceFailure(error, server).kind;
}

/** The reports of versions 15 and 18. */
const reports: readonly (readonly [
  kind: string,
  state: string,
  routine: string,
  english: string,
  german: string,
])[] = [
  [
    'backlog-missing',
    '42704',
    'ReplicationSlotAcquire',
    'replication slot "a" does not exist',
    'Replikations-Slot »a« existiert nicht',
  ],
  [
    'backlog-busy',
    '55006',
    'ReplicationSlotAcquire',
    'replication slot "a" is active for PID 7',
    'Replikations-Slot »a« ist aktiv für PID 7',
  ],
  [
    'settings',
    '53400',
    'ReplicationSlotCreate',
    'all replication slots are in use',
    'alle Replikations-Slots sind in Benutzung',
  ],
  [
    'backlog-lost',
    '55000',
    'StartLogicalReplication',
    'cannot read from logical replication slot "a"',
    'kann nicht aus logischem Replikations-Slot »a« lesen',
  ],
  [
    'backlog-lost',
    '55000',
    'ReplicationSlotAcquire',
    'can no longer access replication slot "a"',
    'auf Replikations-Slot »a« kann nicht mehr zugegriffen werden',
  ],
  [
    'backlog-lost',
    '42704',
    'get_publication_oid',
    'publication "powersync" does not exist',
    'Publikation »powersync« existiert nicht',
  ],
  [
    'backlog-lost',
    '58P01',
    'WalSndSegmentOpen',
    'requested WAL segment 000000010000000000000001 has already been removed',
    'das angeforderte WAL-Segment 000000010000000000000001 wurde schon entfernt',
  ],
];

describe('a failure to read the log', () => {
  test.each(reports)('is of kind %s: %s of %s, in any language', (kind, code, routine, english, german) => {
    expect(kindOf({ code, routine, message: english })).toBe(kind);
    expect(kindOf({ code, routine, message: german })).toBe(kind);
  });

  test.each(reports)('is of kind %s by English words if no function is sent', (kind, code, _, message) => {
    expect(kindOf({ code, message })).toBe(kind);
  });

  test.each([
    ['42704', 'LookupTypeName', 'type "a" does not exist'],
    ['55000', 'CreateDecodingContext', 'replication slot "a" was not created in this database'],
    ['53400', 'FileWrite', 'temporary file size exceeds temp_file_limit (1kB)'],
    ['58P01', 'mdopenfork', 'could not open file "base/1/2": No such file or directory'],
  ])('is of kind other: %s of %s', (code, routine, message) => {
    expect(kindOf({ code, routine, message })).toBe('other');
  });

  test('is a warning about a skipped publication since version 18', () => {
    const routine = 'LoadPublications';
    expect(isAboutSkippedPublication({ routine, message: 'Publikation »powersync« übersprungen' })).toBe(
      true,
    );
    expect(isAboutSkippedPublication({ message: 'skipped loading publication "powersync"' })).toBe(true);
    expect(isAboutSkippedPublication({ routine: 'other', message: 'there is no transaction' })).toBe(false);
  });
});
