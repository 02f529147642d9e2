import { knownTables } from '../plan/tablePatterns.ts';
import type { ConfigCheck } from './check.ts';

export const missingId: ConfigCheck = {
  code: 'missing-id',
  usesCatalog: true,
  checkPlan: ({ plan, options, catalog, report }) => {
    if (options.edition < 3) return;
    for (const { columns, table } of plan.sources.flatMap(({ rules }) => rules)) {
      if (columns.some((column) => column.kind === 'column' && column.name === 'id')) continue;
      const star = columns.find(({ kind }) => kind === 'star');
      const last = columns.at(-1);
      if (!star && last) report('missing-id', last.at, {});
      const known = knownTables(catalog, table);
      if (star && !catalog?.open && known.length > 0 && known.every((each) => !each.columns.has('id')))
        report('missing-id', star.at, { table: table.name.text });
    }
  },
};
