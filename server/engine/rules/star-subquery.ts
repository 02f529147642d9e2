/**
 * IN (SELECT *) in edition 2
 *
 * A service drops this condition without a word, and syncs all rows to everyone.
 *
 * Bad:
 *
 * ```yaml
 * config:
 *   edition: 2
 * streams:
 *   mine:
 *     query: SELECT * FROM tasks WHERE list_id IN (SELECT * FROM lists WHERE owner_id = auth.user_id())
 * ```
 *
 * Good:
 *
 * ```yaml
 * config:
 *   edition: 2
 * streams:
 *   mine:
 *     query: SELECT * FROM tasks WHERE list_id IN (SELECT id FROM lists WHERE owner_id = auth.user_id())
 * ```
 */
import type { Rule } from './rule.ts';

export const starSubquery: Rule = { code: 'star-subquery' };
