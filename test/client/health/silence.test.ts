/** An error about silence is recognised by its kind, or by its text if it has no kind. */
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
  ['of our service', silenceErrors({ lastKeepaliveAt: 0 }, 3_600_000)[0] ?? {}],
  ['of our service, in other words', { level: 'fatal', kind: 'silence', message: 'Es ist still.' }],
  [
    'of our service before errors had a kind',
    { level: 'fatal', message: 'Nothing has been replicated for more than 901 s.' },
  ],
  ['of the reference service', { level: 'fatal', message: 'No replicated commit in more than 1000s' }],
])('an error about silence %s is not a failure', (_, error) => {
  expect(isTakenSeriously(error)).toBe(false);
});

test('a different error is a failure', () => {
  expect(isTakenSeriously({ level: 'fatal', message: 'No such table.' })).toBe(true);
});
