import { knownColumn } from '../plan/compile/compile.ts';
import type { OutputColumn } from '../plan/plan.ts';
import { knownTables } from '../plan/tablePatterns.ts';
import type { ConfigCheck } from './check.ts';

export const idNotText: ConfigCheck = {
  code: 'id-not-text',
  usesCatalog: true,
  checkPlan: ({ plan, catalog, report }) => {
    if (!catalog) return;
    for (const { columns, table } of plan.sources.flatMap(({ rules }) => rules)) {
      const column = columns.findLast((each) => each.kind === 'star' || each.name === 'id');
      const source = column && sourceColumn(column);
      if (!column || source === undefined) continue;
      const { type, sourceType } = knownColumn(knownTables(catalog, table), source) ?? {};
      if (type === 'integer' || type === 'real')
        report('id-not-text', column.at, { type: sourceType ?? type });
    }
  },
};

/** Returns the source column whose values are synced as `id`. */
function sourceColumn(column: OutputColumn): string | undefined {
  if (column.kind === 'star') return 'id';
  return column.value.kind === 'column' ? column.value.name : undefined;
}
