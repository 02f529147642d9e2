/**
 * A star in a subquery or CTE
 *
 * Which columns a table has is not known when a plan is made. List the columns that are used.
 *
 * Bad:
 *
 * ```sql
 * SELECT s.id FROM (SELECT * FROM tasks) AS s
 * ```
 *
 * Good:
 *
 * ```sql
 * SELECT s.id FROM (SELECT id FROM tasks) AS s
 * ```
 */
import type { Rule } from './rule.ts';

export const starInSubquery: Rule = { code: 'star-in-subquery' };
