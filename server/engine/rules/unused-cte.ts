/**
 * A CTE that nothing uses
 *
 * No query reads it, so it has no effect on what is synced. Often the condition that was to use it is missing: then
 * rows may be synced to more users than was meant.
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
