import { expect, test } from 'vitest';
import type { CopyOutcome } from '../../../client/api/answers.ts';
import type { CopyRequest } from '../../../client/api/api.ts';
import { describeCopyOutcome } from '../../../client/health/copyWords.ts';

test.each<[CopyRequest['action'], CopyOutcome, string]>([
  ['pause', { kind: 'paused', slot: 's' }, 'local has paused the copy.'],
  ['pause', { kind: 'paused', slot: 's', limit: 5_000 }, 'local has paused the copy.'],
  ['resume', { kind: 'copying', slot: 's' }, 'local continues the copy.'],
  ['resume', { kind: 'copying', slot: 's', limit: 5_000 }, 'local copies at most 5,000 rows a second.'],
  ['rate', { kind: 'copying', slot: 's' }, 'local is copying at full speed.'],
  ['rate', { kind: 'copying', slot: 's', limit: 5_000 }, 'local copies at most 5,000 rows a second.'],
  ['rate', { kind: 'paused', slot: 's' }, 'local will copy at full speed. The copy is still paused.'],
  [
    'rate',
    { kind: 'paused', slot: 's', limit: 5_000 },
    'local will copy at most 5,000 rows a second. The copy is still paused.',
  ],
  ['give-up', { kind: 'given up' }, 'local has given up the copy.'],
])('the outcome of %s is described: %j', (action, outcome, sentence) => {
  expect(describeCopyOutcome({ action }, outcome, 'local')).toBe(sentence);
});
