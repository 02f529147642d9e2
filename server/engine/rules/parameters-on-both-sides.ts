/**
 * A comparison of two bucket parameters
 *
 * It says nothing about the row. Compare them in the parameter query.
 *
 * Bad:
 *
 * ```yaml
 * bucket_definitions:
 *   mine:
 *     parameters: SELECT request.user_id() AS a, request.jwt() ->> 'owner' AS b
 *     data:
 *       - SELECT * FROM tasks WHERE bucket.a = bucket.b
 * ```
 *
 * Good:
 *
 * ```yaml
 * bucket_definitions:
 *   mine:
 *     parameters: SELECT request.user_id() AS a WHERE request.user_id() = request.jwt() ->> 'owner'
 *     data:
 *       - SELECT * FROM tasks WHERE owner_id = bucket.a
 * ```
 */
import type { Rule } from './rule.ts';

export const parametersOnBothSides: Rule = { code: 'parameters-on-both-sides' };
