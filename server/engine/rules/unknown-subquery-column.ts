/**
 * A column that the subquery does not have
 *
 * A subquery or CTE has the columns that it lists, and no others.
 *
 * Bad:
 *
 * ```sql
 * SELECT s.id, s.name FROM (SELECT id FROM tasks) AS s
 * ```
 *
 * Good:
 *
 * ```sql
 * SELECT s.id, s.name FROM (SELECT id, name FROM tasks) AS s
 * ```
 */
import type { Rule } from './rule.ts';

export const unknownSubqueryColumn: Rule = { code: 'unknown-subquery-column' };
