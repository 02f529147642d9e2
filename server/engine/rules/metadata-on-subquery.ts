/**
 * Row metadata of a subquery
 *
 * `schema()`, `table_name()` and `table_suffix()` say which table a row comes from. The rows of a subquery or a CTE
 * come from none.
 *
 * Bad:
 *
 * ```sql
 * SELECT s.id, s.table_name() AS origin FROM (SELECT id FROM tasks) AS s
 * ```
 *
 * Good:
 *
 * ```sql
 * SELECT id, tasks.table_name() AS origin FROM tasks
 * ```
 */
import type { Rule } from './rule.ts';

export const metadataOnSubquery: Rule = { code: 'metadata-on-subquery' };
