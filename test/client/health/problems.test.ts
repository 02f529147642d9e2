/** The reports about the scripts of the local database. */
import { expect, test } from 'vitest';
import type { ScriptReport } from '../../../client/api/reports/scripts.ts';
import { ownErrorsOf } from '../../../client/health/health.ts';
import { newsOf } from '../../../client/health/problems.ts';

const whole: ScriptReport = {
  isEmbedded: true,
  applied: 2,
  changed: [],
  removed: [],
  problems: [],
  skipped: [],
};
const failed = {
  script: 'migrations/3.sql',
  line: 2,
  statement: 'CREATE TABLE places (at postion)',
  reason: 'failed',
  message: 'type "postion" does not exist',
  tables: ['public.places'],
};
const run = 'A new migration was applied to the local database.';
const leftOut = 'migrations/3.sql:2 left out (affects public.places): type "postion" does not exist';

test.each<[string, ScriptReport | undefined, ScriptReport | undefined, readonly string[]]>([
  ['nothing, if no migration was run', whole, whole, []],
  ['nothing, if there was no earlier report', undefined, whole, []],
  ['nothing, if the database was created again', { ...whole, applied: 0 }, whole, []],
  ['that one migration was run', whole, { ...whole, applied: 3 }, [run]],
  [
    'how many migrations were run',
    whole,
    { ...whole, applied: 4 },
    ['2 new migrations were applied to the local database.'],
  ],
  ['which statement was left out', whole, { ...whole, applied: 3, skipped: [failed] }, [run, leftOut]],
  [
    'no left-out statement that was reported before',
    { ...whole, skipped: [failed] },
    { ...whole, applied: 3, skipped: [failed] },
    [run],
  ],
])('The news about migrations contain: %s', (_, before, now, sentences) => {
  expect(newsOf(before, now)).toEqual(sentences);
});

test('An error in several places of a config is one problem, with the number of places', () => {
  const error = (message: string, start?: number) =>
    ({
      level: 'warning',
      message,
      ...(start !== undefined && { location: { start, end: start + 1 } }),
    }) as const;
  const deployed = {
    errors: [error('open', 3), error('open', 9), error('open', 9), error('once', 1), error('none')],
  };
  expect(
    ownErrorsOf({ slot: 's', copied: true, tables: [], ...deployed }).map(({ message }) => message),
  ).toEqual(['open (In 2 places.)', 'once', 'none']);
});
