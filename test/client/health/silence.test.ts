/** Reports of a service about silence are recognised, by their kind if they have one. */
import { expect, test } from 'vitest';
import { readDiagnosis } from '../../../client/api/answers.ts';
import { isCurrent } from '../../../client/health/health.ts';
import { silenceErrors } from '../../../server/service/api/status.ts';

function isTakenSeriously(error: object): boolean | undefined {
  const active_sync_rules = { connections: [{ slot_name: 'a' }], errors: [error] };
  const answer = { data: { connections: [], active_sync_rules } };
  const active = readDiagnosis(answer, 0)?.active;
  const [read] = active?.errors ?? [];
  return active && read && isCurrent(read, active);
}

test.each([
  ['of ours', silenceErrors({ lastKeepaliveAt: 0 }, 3_600_000)[0] ?? {}],
  ['of ours, in other words', { level: 'fatal', kind: 'silence', message: 'Es ist still.' }],
  [
    'of ours before it had a kind',
    { level: 'fatal', message: 'Nothing has been replicated for more than 901 s.' },
  ],
  ['of the reference', { level: 'fatal', message: 'No replicated commit in more than 1000s' }],
])('the silence %s is no failure', (_, error) => {
  expect(isTakenSeriously(error)).toBe(false);
});

test('another error is', () => {
  expect(isTakenSeriously({ level: 'fatal', message: 'No such table.' })).toBe(true);
});
