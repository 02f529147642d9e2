/**
 * Two conditions on one parameter
 *
 * Of two conditions on the same parameter a service enforces only the first, so clients get rows that the second
 * forbids. Give the parameter a second name, and compare with both.
 *
 * Bad:
 *
 * ```yaml
 * bucket_definitions:
 *   mine:
 *     parameters: SELECT request.user_id() AS user_id
 *     data:
 *       - SELECT * FROM tasks WHERE owner_id = bucket.user_id AND editor_id = bucket.user_id
 * ```
 *
 * Good:
 *
 * ```yaml
 * bucket_definitions:
 *   mine:
 *     parameters: SELECT request.user_id() AS user_id, request.user_id() AS same_user_id
 *     data:
 *       - SELECT * FROM tasks WHERE owner_id = bucket.user_id AND editor_id = bucket.same_user_id
 * ```
 */
import type { Rule } from './rule.ts';

export const sameParameterTwice: Rule = { code: 'same-parameter-twice' };
