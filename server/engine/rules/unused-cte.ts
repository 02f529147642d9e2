/**
 * A CTE that nothing uses
 *
 * Bad:
 *
 * ```yaml
 * config:
 *   edition: 3
 * with:
 *   mine: SELECT id FROM lists WHERE owner_id = auth.user_id()
 * streams:
 *   tasks:
 *     query: SELECT * FROM tasks
 * ```
 *
 * Good:
 *
 * ```yaml
 * config:
 *   edition: 3
 * with:
 *   mine: SELECT id FROM lists WHERE owner_id = auth.user_id()
 * streams:
 *   tasks:
 *     query: SELECT * FROM tasks WHERE list_id IN mine
 * ```
 */
import type { Rule } from './rule.ts';

export const unusedCte: Rule = { code: 'unused-cte' };
