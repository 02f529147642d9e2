/**
 * An expression without a name
 *
 * Clients see the column under the text of the expression, which nobody will want to write in a query.
 *
 * Bad:
 *
 * ```sql
 * SELECT id, upper(title) FROM tasks
 * ```
 *
 * Good:
 *
 * ```sql
 * SELECT id, upper(title) AS title FROM tasks
 * ```
 */
import type { Rule } from './rule.ts';

export const unnamedColumn: Rule = { code: 'unnamed-column' };
