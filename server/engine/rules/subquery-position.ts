/**
 * A subquery in the wrong place
 *
 * A subquery can stand behind IN, beside `&&` and in FROM. For `= (SELECT …)` write `IN (SELECT …)`.
 *
 * Bad:
 *
 * ```sql
 * SELECT * FROM tasks WHERE list_id = (SELECT id FROM lists WHERE owner_id = auth.user_id())
 * ```
 *
 * Good:
 *
 * ```sql
 * SELECT * FROM tasks WHERE list_id IN (SELECT id FROM lists WHERE owner_id = auth.user_id())
 * ```
 */
import type { Rule } from './rule.ts';

export const subqueryPosition: Rule = { code: 'subquery-position' };
