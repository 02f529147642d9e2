/**
 * Two memberships in lists of a row
 *
 * Each combination of elements would be a bucket of its own, so only one is possible.
 *
 * Bad:
 *
 * ```yaml
 * bucket_definitions:
 *   mine:
 *     parameters: SELECT request.user_id() AS user_id, request.jwt() ->> 'tag' AS tag
 *     data:
 *       - SELECT * FROM tasks WHERE bucket.user_id IN readers AND bucket.tag IN tags
 * ```
 *
 * Good:
 *
 * ```yaml
 * bucket_definitions:
 *   mine:
 *     parameters: SELECT request.user_id() AS user_id
 *     data:
 *       - SELECT * FROM tasks WHERE bucket.user_id IN readers
 * ```
 */
import type { Rule } from './rule.ts';

export const multipleInExpressions: Rule = { code: 'multiple-in-expressions' };
