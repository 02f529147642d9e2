/**
 * A data query that does not use exactly the bucket parameters
 *
 * Each row belongs to the bucket that its values name, so every data query has to compare with every parameter.
 *
 * Bad:
 *
 * ```yaml
 * bucket_definitions:
 *   mine:
 *     parameters: SELECT request.user_id() AS user_id
 *     data:
 *       - SELECT * FROM tasks
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

export const bucketParametersMismatch: Rule = { code: 'bucket-parameters-mismatch' };
