/**
 * A CTE that uses another one
 *
 * Inside a CTE the names of other CTEs are not known: a service looks for a table, or a column, of that name.
 *
 * Bad:
 *
 * ```yaml
 * config:
 *   edition: 3
 * with:
 *   mine: SELECT id FROM lists WHERE owner_id = auth.user_id()
 *   my_tasks: SELECT id FROM tasks WHERE list_id IN (SELECT id FROM mine)
 * streams:
 *   lists:
 *     query: SELECT * FROM lists WHERE id IN mine
 *   comments:
 *     query: SELECT * FROM comments WHERE task_id IN my_tasks
 * ```
 *
 * Good:
 *
 * ```yaml
 * config:
 *   edition: 3
 * with:
 *   mine: SELECT id FROM lists WHERE owner_id = auth.user_id()
 *   my_tasks: >
 *     SELECT id FROM tasks WHERE list_id IN (SELECT id FROM lists WHERE owner_id = auth.user_id())
 * streams:
 *   lists:
 *     query: SELECT * FROM lists WHERE id IN mine
 *   comments:
 *     query: SELECT * FROM comments WHERE task_id IN my_tasks
 * ```
 */
import type { Rule } from './rule.ts';

export const cteInCte: Rule = { code: 'cte-in-cte' };
