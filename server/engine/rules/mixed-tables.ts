/**
 * Two tables in one expression
 *
 * Rows of two tables are connected by looking up one value in an index, so only `=`, IN and `&&` can connect them.
 *
 * Bad:
 *
 * ```sql
 * SELECT tasks.* FROM tasks JOIN lists ON lists.id = tasks.list_id AND lists.level < tasks.level
 * ```
 *
 * Good:
 *
 * ```sql
 * SELECT tasks.* FROM tasks JOIN lists ON lists.id = tasks.list_id AND lists.level = tasks.level
 *   WHERE lists.owner_id = auth.user_id()
 * ```
 */
import type { Rule } from './rule.ts';

export const mixedTables: Rule = { code: 'mixed-tables' };
