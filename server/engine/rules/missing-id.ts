/**
 * No column id in a stream
 *
 * Clients keep the rows of a table by their column `id`. Edition 3 does not demand it, and without it all rows of the
 * table collapse into one. If the key has another name, call it `id` with AS.
 *
 * Bad:
 *
 * ```sql
 * SELECT task_key, title FROM tasks
 * ```
 *
 * Good:
 *
 * ```sql
 * SELECT task_key AS id, title FROM tasks
 * ```
 */
import { knownTables } from '../plan/tables.ts';
import type { Rule } from './rule.ts';

export const missingId: Rule = {
  code: 'missing-id',
  checkPlan: ({ plan, options, catalog, report }) => {
    if (options.edition < 3) return;
    for (const { columns, table } of plan.sources.flatMap(({ rules }) => rules)) {
      if (columns.some((column) => column.kind === 'column' && column.name === 'id')) continue;
      const star = columns.find(({ kind }) => kind === 'star');
      const last = columns.at(-1);
      if (!star && last) report('missing-id', last.at, {});
      const known = knownTables(catalog, table);
      if (star && known.length > 0 && known.every((each) => !each.columns.has('id')))
        report('missing-id', star.at, { table: table.name.text });
    }
  },
};
