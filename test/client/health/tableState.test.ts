import { expect, test } from 'vitest';
import { readDiagnosis } from '../../../client/api/answers.ts';
import { isIncomplete, stateOfTable } from '../../../client/health/tableState.ts';

const warning = (message: string, more: object = {}) => ({ level: 'warning', message, ...more });
const fatal = (message: string) => ({ level: 'fatal', message });
const notFound = 'Table "public"."notes" not found.';

/** The expected state, and the fields of the table that the service reports. */
test.each([
  ['copied', { replication_id: ['id'] }],
  ['copied', { replication_id: ['id'], copied: true, errors: [warning('RLS hides rows.')] }],
  ['copying', { replication_id: ['id'], copied: false }],
  ['missing', { errors: [warning('Not there.', { kind: 'missing' })] }],
  // The reference service does not report a kind, and neither did earlier versions of our service.
  ['missing', { errors: [warning(notFound)] }],
  ['missing', { errors: [warning('Left out.', { kind: 'left out' })] }],
  ['copied', { replication_id: ['id'], errors: [warning('Column left out.', { kind: 'left out' })] }],
  ['unreadable', { errors: [fatal('No replication id found for "notes".')] }],
  // A temporary problem, for example while the database is being reset, does not describe the table.
  ['unknown', { errors: [warning('The source does not answer.')] }],
])('%s: %j', (state, fields) => {
  const answer = {
    data: {
      connections: [],
      active_sync_rules: {
        connections: [{ slot_name: 'a', tables: [{ schema: 'public', name: 'notes', ...fields }] }],
      },
    },
  };
  const [table] = readDiagnosis(answer, 0)?.active?.tables ?? [];
  expect(table && stateOfTable(table)).toBe(state);
  const isLeftOut = JSON.stringify(fields).includes('left out');
  expect(table && isIncomplete(table)).toBe(
    isLeftOut || ['missing', 'unreadable', 'unknown'].includes(state),
  );
});
