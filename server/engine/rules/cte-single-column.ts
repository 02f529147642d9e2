/**
 * A CTE that needs exactly one column
 *
 * Behind IN the bare name of a CTE means its only column. With several columns, write the subquery out.
 *
 * Bad:
 *
 * ```yaml
 * config:
 *   edition: 3
 * with:
 *   mine: SELECT id, name FROM lists WHERE owner_id = auth.user_id()
 * streams:
 *   tasks:
 *     query: SELECT * FROM tasks WHERE list_id IN mine
 * ```
 *
 * Good:
 *
 * ```yaml
 * config:
 *   edition: 3
 * with:
 *   mine: SELECT id, name FROM lists WHERE owner_id = auth.user_id()
 * streams:
 *   tasks:
 *     query: SELECT * FROM tasks WHERE list_id IN (SELECT id FROM mine)
 * ```
 */
import type { Rule } from './rule.ts';

export const cteSingleColumn: Rule = { code: 'cte-single-column' };
