/**
 * Aggregates and window functions
 *
 * A sync query sees one row at a time, so there is nothing to aggregate. DISTINCT, ORDER BY, FILTER and OVER have no
 * place in a call.
 *
 * Bad:
 *
 * ```sql
 * SELECT id, length(DISTINCT title) AS l FROM tasks
 * ```
 *
 * Good:
 *
 * ```sql
 * SELECT id, length(title) AS l FROM tasks
 * ```
 */
import type { Rule } from './rule.ts';

export const functionModifier: Rule = { code: 'function-modifier' };
