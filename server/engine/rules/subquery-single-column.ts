/**
 * A subquery that needs exactly one column
 *
 * Behind IN and beside `&&` a subquery gives a list of values, so it has exactly one column, and names it.
 *
 * Bad:
 *
 * ```sql
 * SELECT * FROM tasks WHERE list_id IN (SELECT id, name FROM lists WHERE owner_id = auth.user_id())
 * ```
 *
 * Good:
 *
 * ```sql
 * SELECT * FROM tasks WHERE list_id IN (SELECT id FROM lists WHERE owner_id = auth.user_id())
 * ```
 */
import type { Rule } from './rule.ts';

export const subquerySingleColumn: Rule = { code: 'subquery-single-column' };
