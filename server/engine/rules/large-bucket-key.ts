/**
 * A bucket for each moment or measurement
 *
 * A column of times or fractions has nearly as many values as rows, and each of them makes a bucket of its own.
 * Compare with something that rows share, such as the day.
 *
 * With this source:
 *
 * ```sql
 * create table tasks (id text, weight real, day text)
 * ```
 *
 * Bad:
 *
 * ```sql
 * SELECT * FROM tasks WHERE weight = auth.parameter('weight')
 * ```
 *
 * Good:
 *
 * ```sql
 * SELECT * FROM tasks WHERE day = auth.parameter('day')
 * ```
 */
import type { CatalogColumn } from '../model/catalog.ts';
import { knownColumn } from '../plan/compile/knownColumns.ts';
import { knownTables } from '../plan/tables.ts';
import type { Rule } from './rule.ts';

export const largeBucketKey: Rule = {
  code: 'large-bucket-key',
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
