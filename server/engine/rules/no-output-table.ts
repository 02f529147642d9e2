/**
 * No column of a table
 *
 * Without a column of a table there is no row that could be synced.
 *
 * Bad:
 *
 * ```sql
 * SELECT 'a' AS id FROM tasks
 * ```
 *
 * Good:
 *
 * ```sql
 * SELECT id, 'a' AS kind FROM tasks
 * ```
 */
import type { Rule } from './rule.ts';

export const noOutputTable: Rule = { code: 'no-output-table' };
