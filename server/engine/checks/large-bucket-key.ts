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

/** Hardly two rows have the same value. A date is shared by many. */
function isFine({ type, sourceType = '' }: CatalogColumn): boolean {
  return type === 'real' || /^(timestamp|datetime)/i.test(sourceType);
}
