import { expect, test } from 'vitest';
import type { PlannedTable } from '../../../client/api/plan.ts';
import { detailsOf } from '../../../client/deploying/reviewWords.ts';

const table = (name: string, rows?: number): PlannedTable => ({
  schema: 'public',
  name,
  ...(rows !== undefined && { rows }),
});

const planned = (...tables: readonly PlannedTable[]): string =>
  detailsOf({
    review: undefined,
    source: { warnings: [] },
    plan: { outcome: 'copy', replacesPending: false, streams: [], tables },
    changedElsewhere: false,
    replacesPending: false,
  } as unknown as Parameters<typeof detailsOf>[0]);

test.each([
  ['All tables are copied: 2, about 1,200 rows.', [table('a', 1_000), table('b', 200)]],
  ['All tables are copied: 2. The number of rows is unknown.', [table('a'), table('b')]],
  [
    'All tables are copied: 3, about 1,000 rows and an unknown number in 2 of them.',
    [table('a', 1_000), table('b'), table('c')],
  ],
  ['All tables are copied: 1, about 0 rows.', [table('a', 0)]],
])('%s', (sentence, tables) => {
  expect(planned(...tables)).toContain(sentence);
});
