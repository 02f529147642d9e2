/**
 * Stream syntax in a bucket definition
 *
 * `auth`, `connection` and `subscription` belong to streams. A bucket definition reads the request with `request`
 * functions in its parameter query.
 *
 * Bad:
 *
 * ```yaml
 * bucket_definitions:
 *   mine:
 *     data:
 *       - SELECT * FROM tasks WHERE owner_id = auth.user_id()
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

export const streamsSyntaxInDefinition: Rule = { code: 'streams-syntax-in-definition' };
