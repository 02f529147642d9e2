/**
 * An operator that does not exist
 *
 * Comparisons, `+ - * /`, `||`, AND, OR, NOT, IN, BETWEEN, IS, `&&`, `->` and `->>` are what a service can evaluate.
 *
 * Bad:
 *
 * ```sql
 * SELECT * FROM tasks WHERE title ~ '^a'
 * ```
 *
 * Good:
 *
 * ```sql
 * SELECT * FROM tasks WHERE substring(title, 1, 1) = 'a'
 * ```
 */
import type { Rule } from './rule.ts';

export const unsupportedOperator: Rule = { code: 'unsupported-operator' };
