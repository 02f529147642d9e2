/**
 * A query without columns, a stream without queries
 *
 * A service accepts it, and syncs nothing.
 *
 * Bad:
 *
 * ```sql
 * SELECT FROM tasks
 * ```
 *
 * Good:
 *
 * ```sql
 * SELECT * FROM tasks
 * ```
 */
import type { Rule } from './rule.ts';

export const noOutputColumns: Rule = {
  code: 'no-output-columns',
  checkSelect: ({ select, role, report }) => {
    if (role === 'synced' && select.columns.length === 0)
      report('no-output-columns', select.span, { missing: 'columns' });
  },
};
