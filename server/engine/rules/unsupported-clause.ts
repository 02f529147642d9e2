/**
 * LIMIT, ORDER BY, GROUP BY and the like
 *
 * A sync query decides about each row on its own, when that row changes. Order, number and groups of rows have no
 * meaning there: sort and limit in the queries of the client.
 *
 * Bad:
 *
 * ```sql
 * SELECT * FROM tasks ORDER BY created_at LIMIT 100
 * ```
 *
 * Good:
 *
 * ```sql
 * SELECT * FROM tasks WHERE archived = 0
 * ```
 */
import type { Rule } from './rule.ts';

export const unsupportedClause: Rule = { code: 'unsupported-clause' };
