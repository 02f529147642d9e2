/**
 * Parameters of the wrong kind
 *
 * `parameters` is one SQL text or a list of them.
 *
 * Bad:
 *
 * ```yaml
 * bucket_definitions:
 *   mine:
 *     parameters:
 *       query: SELECT request.user_id() AS user_id
 *     data:
 *       - SELECT * FROM tasks WHERE owner_id = bucket.user_id
 * ```
 *
 * Good:
 *
 * ```yaml
 * bucket_definitions:
 *   mine:
 *     parameters: SELECT request.user_id() AS user_id
 *     data:
 *       - SELECT * FROM tasks WHERE owner_id = bucket.user_id
 * ```
 */
import type { Rule } from './rule.ts';

export const parametersWrongType: Rule = { code: 'parameters-wrong-type' };
