/**
 * A condition of too many cases
 *
 * A condition is multiplied out: ORs to the top, each with its ANDs. `(a OR b) AND (c OR d)` gives four cases, seven
 * such pairs give 128. At most 100 are possible. Split the query in two at its topmost OR.
 *
 * Bad:
 *
 * ```sql
 * SELECT * FROM tasks WHERE (a = 1 OR b = 1) AND (a = 2 OR b = 2) AND (a = 3 OR b = 3) AND (a = 4 OR b = 4)
 *   AND (a = 5 OR b = 5) AND (a = 6 OR b = 6) AND (a = 7 OR b = 7)
 * ```
 *
 * Good:
 *
 * ```sql
 * SELECT * FROM tasks WHERE (a = 1 OR b = 1) AND (a = 2 OR b = 2)
 * ```
 */
import type { Rule } from './rule.ts';

export const filterTooComplex: Rule = { code: 'filter-too-complex' };
