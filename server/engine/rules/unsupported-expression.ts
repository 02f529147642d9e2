/**
 * A form that does not exist here
 *
 * The SQL is readable, but has a form that no service evaluates: a list in parentheses, an index, `current_user`;
 * before edition 3 also CASE, BETWEEN and subqueries.
 *
 * Bad:
 *
 * ```sql
 * SELECT * FROM tasks WHERE kind IN ('a', 'b')
 * ```
 *
 * Good:
 *
 * ```sql
 * SELECT * FROM tasks WHERE kind IN ARRAY['a', 'b']
 * ```
 */
import type { Rule } from './rule.ts';

export const unsupportedExpression: Rule = { code: 'unsupported-expression' };
