/**
 * Too few or too many names for the columns
 *
 * The list behind the alias names each column of the subquery.
 *
 * Bad:
 *
 * ```sql
 * SELECT s.a AS id FROM (SELECT id FROM tasks) AS s(a, b)
 * ```
 *
 * Good:
 *
 * ```sql
 * SELECT s.a AS id FROM (SELECT id FROM tasks) AS s(a)
 * ```
 */
import type { Rule } from './rule.ts';

export const subqueryColumnCount: Rule = { code: 'subquery-column-count' };
