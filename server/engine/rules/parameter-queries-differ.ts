/**
 * Parameter queries with different columns
 *
 * The columns of the parameter queries are the bucket parameters, so all of them must give the same ones.
 *
 * Bad:
 *
 * ```yaml
 * bucket_definitions:
 *   mine:
 *     parameters:
 *       - SELECT id AS list FROM lists WHERE owner_id = request.user_id()
 *       - SELECT list_id FROM members WHERE user_id = request.user_id()
 *     data:
 *       - SELECT * FROM tasks WHERE list_id = bucket.list
 * ```
 *
 * Good:
 *
 * ```yaml
 * bucket_definitions:
 *   mine:
 *     parameters:
 *       - SELECT id AS list FROM lists WHERE owner_id = request.user_id()
 *       - SELECT list_id AS list FROM members WHERE user_id = request.user_id()
 *     data:
 *       - SELECT * FROM tasks WHERE list_id = bucket.list
 * ```
 */
import type { Rule } from './rule.ts';

export const parameterQueriesDiffer: Rule = { code: 'parameter-queries-differ' };
