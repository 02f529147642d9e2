/**
 * Common table expressions before edition 3
 *
 * `with` came with edition 3.
 *
 * Bad:
 *
 * ```yaml
 * config:
 *   edition: 2
 * with:
 *   mine: SELECT id FROM lists WHERE owner_id = auth.user_id()
 * streams:
 *   lists:
 *     query: SELECT * FROM lists
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

export const cteRequiresEdition3: Rule = { code: 'cte-requires-edition-3' };
