/**
 * IN with a single value
 *
 * Behind IN a service expects a list as JSON text. A single value in parentheses is no list, and fails on every row.
 *
 * Bad:
 *
 * ```sql
 * SELECT * FROM tasks WHERE kind IN ('a')
 * ```
 *
 * Good:
 *
 * ```sql
 * SELECT * FROM tasks WHERE kind IN ARRAY['a']
 * ```
 */
import type { Rule } from './rule.ts';

export const inSingleValue: Rule = { code: 'in-single-value' };
