/**
 * A bucket parameter inside an expression
 *
 * When a row changes, its bucket is computed from the row alone, so a parameter can only be compared with `=` or IN.
 * Move the expression to the parameter query.
 *
 * Bad:
 *
 * ```yaml
 * bucket_definitions:
 *   mine:
 *     parameters: SELECT request.user_id() AS user_id
 *     data:
 *       - SELECT * FROM tasks WHERE owner_id = upper(bucket.user_id)
 * ```
 *
 * Good:
 *
 * ```yaml
 * bucket_definitions:
 *   mine:
 *     parameters: SELECT upper(request.user_id()) AS user_id
 *     data:
 *       - SELECT * FROM tasks WHERE owner_id = bucket.user_id
 * ```
 */
import type { Rule } from './rule.ts';

export const parameterInExpression: Rule = { code: 'parameter-in-expression' };
