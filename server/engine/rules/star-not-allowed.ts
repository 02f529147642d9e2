/**
 * A star as a value
 *
 * `*` means all columns of an output list. It is no value, and the columns of a parameter query need to be listed.
 *
 * Bad:
 *
 * ```yaml
 * bucket_definitions:
 *   mine:
 *     parameters: SELECT * FROM lists WHERE owner_id = request.user_id()
 *     data:
 *       - SELECT * FROM tasks WHERE list_id = bucket.id
 * ```
 *
 * Good:
 *
 * ```yaml
 * bucket_definitions:
 *   mine:
 *     parameters: SELECT id FROM lists WHERE owner_id = request.user_id()
 *     data:
 *       - SELECT * FROM tasks WHERE list_id = bucket.id
 * ```
 */
import type { Rule } from './rule.ts';

export const starNotAllowed: Rule = { code: 'star-not-allowed' };
