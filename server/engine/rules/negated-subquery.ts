/**
 * NOT over a subquery
 *
 * A stream joins the rows of a subquery: it is given when *some* row fits. Under NOT, and within a larger expression,
 * that is another question than the one that was asked. A service refuses most of these queries; the others it
 * answers wrongly, and clients get rows that they must not have.
 *
 * Bad:
 *
 * ```sql
 * SELECT * FROM tasks WHERE 'maintenance' NOT IN (SELECT mode FROM settings)
 * ```
 *
 * Good:
 *
 * ```sql
 * SELECT * FROM tasks WHERE 'normal' IN (SELECT mode FROM settings)
 * ```
 */
import type { Rule } from './rule.ts';

export const negatedSubquery: Rule = { code: 'negated-subquery' };
