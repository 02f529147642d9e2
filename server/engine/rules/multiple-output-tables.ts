/**
 * Columns of two tables
 *
 * Every synced row is a row of one table, and changes with it. Clients join: sync both tables with a query each.
 *
 * Bad:
 *
 * ```sql
 * SELECT tasks.id, lists.name FROM tasks JOIN lists ON lists.id = tasks.list_id WHERE lists.owner_id = auth.user_id()
 * ```
 *
 * Good:
 *
 * ```yaml
 * config:
 *   edition: 3
 * streams:
 *   mine:
 *     queries:
 *       - SELECT * FROM lists WHERE owner_id = auth.user_id()
 *       - SELECT tasks.* FROM tasks JOIN lists ON lists.id = tasks.list_id WHERE lists.owner_id = auth.user_id()
 * ```
 */
import type { Rule } from './rule.ts';

export const multipleOutputTables: Rule = { code: 'multiple-output-tables' };
