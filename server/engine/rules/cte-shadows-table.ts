/**
 * A CTE with the name of a table
 *
 * In the queries that can use the CTE, the name means the CTE, and the table of that name cannot be reached without
 * its schema.
 *
 * With this source:
 *
 * ```sql
 * create table tasks (id text, list_id text)
 * create table lists (id text, owner_id text)
 * ```
 *
 * Bad:
 *
 * ```yaml
 * config:
 *   edition: 3
 * with:
 *   lists: SELECT id FROM lists WHERE owner_id = auth.user_id()
 * streams:
 *   tasks:
 *     query: SELECT * FROM tasks WHERE list_id IN lists
 * ```
 *
 * Good:
 *
 * ```yaml
 * config:
 *   edition: 3
 * with:
 *   my_lists: SELECT id FROM lists WHERE owner_id = auth.user_id()
 * streams:
 *   tasks:
 *     query: SELECT * FROM tasks WHERE list_id IN my_lists
 * ```
 */
import type { Rule } from './rule.ts';

export const cteShadowsTable: Rule = { code: 'cte-shadows-table' };
