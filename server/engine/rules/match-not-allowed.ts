/**
 * A comparison with a parameter in the wrong place
 *
 * A comparison with a bucket parameter or the request names buckets. It is no value, and it cannot be negated:
 * nobody can list the buckets that a row is not in. Nor can a parameter query compute with a row's values.
 *
 * Bad:
 *
 * ```yaml
 * bucket_definitions:
 *   mine:
 *     parameters: SELECT request.user_id() AS user_id
 *     data:
 *       - SELECT * FROM tasks WHERE NOT (owner_id = bucket.user_id)
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

export const matchNotAllowed: Rule = { code: 'match-not-allowed' };
