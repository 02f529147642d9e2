/**
 * A priority in two places
 *
 * A definition has one priority. With `priority` beside it and `_priority` in its parameter query, the service could not
 * know which of the two is meant.
 *
 * Bad:
 *
 * ```yaml
 * bucket_definitions:
 *   mine:
 *     priority: 1
 *     parameters: SELECT request.user_id() AS user_id, 1 AS _priority
 *     data:
 *       - SELECT * FROM tasks WHERE owner_id = bucket.user_id
 * ```
 *
 * Good:
 *
 * ```yaml
 * bucket_definitions:
 *   mine:
 *     priority: 1
 *     parameters: SELECT request.user_id() AS user_id
 *     data:
 *       - SELECT * FROM tasks WHERE owner_id = bucket.user_id
 * ```
 */
import type { Rule } from './rule.ts';

export const prioritySetTwice: Rule = { code: 'priority-set-twice' };
