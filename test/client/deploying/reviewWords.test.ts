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
  ['All tables are copied (tables: 2, rows: about 1,200).', [table('a', 1_000), table('b', 200)]],
  ['All tables are copied (tables: 2). The number of rows is unknown.', [table('a'), table('b')]],
  [
    'All tables are copied (tables: 3, rows: about 1,000, and an unknown number in 2 of the tables).',
    [table('a', 1_000), table('b'), table('c')],
  ],
  ['All tables are copied (tables: 1, rows: about 0).', [table('a', 0)]],
])('%s', (sentence, tables) => {
  expect(planned(...tables)).toContain(sentence);
});
