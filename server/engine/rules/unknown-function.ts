/**
 * A function that does not exist
 *
 * Sync queries know a small set of functions, which a service can run on every row. `coalesce` is called `ifnull`,
 * `substr` is `substring`; instead of EXISTS use IN with a subquery; there is no way to read the clock.
 *
 * Bad:
 *
 * ```sql
 * SELECT id, coalesce(title, '') AS title FROM tasks
 * ```
 *
 * Good:
 *
 * ```sql
 * SELECT id, ifnull(title, '') AS title FROM tasks
 * ```
 */
import type { Rule } from './rule.ts';

export const unknownFunction: Rule = { code: 'unknown-function' };
