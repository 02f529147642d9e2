/**
 * An alias in a parameter query
 *
 * The table of a parameter query is known by its own name only.
 *
 * Bad:
 *
 * ```yaml
 * bucket_definitions:
 *   mine:
 *     parameters: SELECT l.id AS list FROM lists l WHERE l.owner_id = request.user_id()
 *     data:
 *       - SELECT * FROM tasks WHERE list_id = bucket.list
 * ```
 *
 * Good:
 *
 * ```yaml
 * bucket_definitions:
 *   mine:
 *     parameters: SELECT id AS list FROM lists WHERE owner_id = request.user_id()
 *     data:
 *       - SELECT * FROM tasks WHERE list_id = bucket.list
 * ```
 */
import type { Rule } from './rule.ts';

export const aliasInParameterQuery: Rule = { code: 'alias-in-parameter-query' };
