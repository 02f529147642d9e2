/**
 * OR of different parameters
 *
 * Both sides of an OR must compare with the same parameters. Otherwise make two queries, or two definitions of it.
 *
 * Bad:
 *
 * ```yaml
 * bucket_definitions:
 *   mine:
 *     parameters: SELECT request.user_id() AS user_id
 *     data:
 *       - SELECT * FROM tasks WHERE owner_id = bucket.user_id OR public = 1
 * ```
 *
 * Good:
 *
 * ```yaml
 * bucket_definitions:
 *   mine:
 *     parameters: SELECT request.user_id() AS user_id
 *     data:
 *       - SELECT * FROM tasks WHERE owner_id = bucket.user_id OR assignee_id = bucket.user_id
 *   public:
 *     data:
 *       - SELECT * FROM tasks WHERE public = 1
 * ```
 */
import type { Rule } from './rule.ts';

export const orParametersMismatch: Rule = { code: 'or-parameters-mismatch' };
