/**
 * The suffix of a table without wildcard
 *
 * `table_suffix()` is what the `%` of a table's name stands for. A name without `%` has none.
 *
 * Bad:
 *
 * ```sql
 * SELECT id, tasks.table_suffix() AS part FROM tasks
 * ```
 *
 * Good:
 *
 * ```sql
 * SELECT id, tasks.table_suffix() AS part FROM "tasks_%" AS tasks
 * ```
 */
import type { Rule } from './rule.ts';

export const tableSuffixAlwaysEmpty: Rule = { code: 'table-suffix-always-empty' };
