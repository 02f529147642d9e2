/**
 * Values of the request in a data query
 *
 * When a row changes there is no request. Read the value in the parameter query, and compare with `bucket.…`.
 *
 * Bad:
 *
 * ```yaml
 * bucket_definitions:
 *   mine:
 *     data:
 *       - SELECT * FROM tasks WHERE owner_id = request.user_id()
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

export const requestFunctionInDataQuery: Rule = { code: 'request-function-in-data-query' };
