/**
 * A bucket parameter on the right of IN
 *
 * `bucket.x IN tags` means that the row's list contains the parameter. The other way round, let the parameter query
 * give each element.
 *
 * Bad:
 *
 * ```yaml
 * bucket_definitions:
 *   mine:
 *     parameters: SELECT request.jwt() ->> 'lists' AS lists
 *     data:
 *       - SELECT * FROM tasks WHERE list_id IN bucket.lists
 * ```
 *
 * Good:
 *
 * ```yaml
 * bucket_definitions:
 *   mine:
 *     parameters: SELECT value AS list FROM json_each(request.jwt() ->> 'lists')
 *     data:
 *       - SELECT * FROM tasks WHERE list_id = bucket.list
 * ```
 */
import type { Rule } from './rule.ts';

export const parameterRightOfIn: Rule = { code: 'parameter-right-of-in' };
