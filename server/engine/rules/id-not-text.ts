/**
 * An id that is no text
 *
 * Clients see every `id` as text. Columns that refer to it need the same form, or joins on the client find nothing.
 *
 * With this source:
 *
 * ```sql
 * create table tasks (id integer, title text)
 * ```
 *
 * Bad:
 *
 * ```sql
 * SELECT * FROM tasks
 * ```
 *
 * Good:
 *
 * ```sql
 * SELECT CAST(id AS text) AS id, title FROM tasks
 * ```
 */
import { knownColumn } from '../plan/compile/knownColumns.ts';
import type { OutputColumn } from '../plan/plan.ts';
import { knownTables } from '../plan/tables.ts';
import type { Rule } from './rule.ts';

export const idNotText: Rule = {
  code: 'id-not-text',
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

/** The column of the table whose values are synced as `id`. */
function sourceColumn(column: OutputColumn): string | undefined {
  if (column.kind === 'star') return 'id';
  return column.value.kind === 'column' ? column.value.name : undefined;
}
