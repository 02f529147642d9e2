/**
 * A subquery in FROM of a parameter query
 *
 * A parameter query reads one table.
 *
 * Bad:
 *
 * ```yaml
 * bucket_definitions:
 *   mine:
 *     parameters: SELECT id AS list FROM (SELECT id FROM lists) AS l
 *     data:
 *       - SELECT * FROM tasks WHERE list_id = bucket.list
 * ```
 *
 * Good:
 *
 * ```yaml
 * bucket_definitions:
 *   mine:
 *     parameters: SELECT id AS list FROM lists
 *     data:
 *       - SELECT * FROM tasks WHERE list_id = bucket.list
 * ```
 */
import type { Rule } from './rule.ts';

export const subqueryInFrom: Rule = { code: 'subquery-in-from' };
