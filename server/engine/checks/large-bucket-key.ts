import type { CatalogColumn } from '../model/catalog.ts';
import { knownColumn } from '../plan/compile/compile.ts';
import { knownTables } from '../plan/tablePatterns.ts';
import type { ConfigCheck } from './check.ts';

export const largeBucketKey: ConfigCheck = {
  code: 'large-bucket-key',
  usesCatalog: true,
  checkPlan: ({ plan, catalog, report }) => {
    if (!catalog) return;
    for (const { keys, table } of plan.sources.flatMap(({ rules }) => rules))
      for (const key of keys) {
        if (key.kind !== 'column') continue;
        const column = knownColumn(knownTables(catalog, table), key.name);
        if (column && isFine(column)) report('large-bucket-key', key.at, { column: key.name });
      }
  },
};

/** Whether nearly every row has its own value. Many rows share a date, so dates do not count. */
function isFine({ type, sourceType = '' }: CatalogColumn): boolean {
  return type === 'real' || /^(timestamp|datetime)/i.test(sourceType);
}
