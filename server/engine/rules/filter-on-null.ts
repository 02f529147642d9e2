/**
 * A comparison with NULL
 *
 * `= NULL` is never true.
 *
 * Bad:
 *
 * ```sql
 * SELECT * FROM tasks WHERE deleted_at = NULL
 * ```
 *
 * Good:
 *
 * ```sql
 * SELECT * FROM tasks WHERE deleted_at IS NULL
 * ```
 */
import type { Rule } from './rule.ts';

export const filterOnNull: Rule = { code: 'filter-on-null' };
