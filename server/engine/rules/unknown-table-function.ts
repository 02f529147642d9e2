/**
 * A table function that does not exist
 *
 * `json_each` is the only function that can stand in FROM. In edition 3 a service notices others only when it loads
 * the plan, and then fails.
 *
 * Bad:
 *
 * ```sql
 * SELECT tasks.* FROM tasks, unnest(tasks.tags) AS tag WHERE tag.value = auth.parameter('tag')
 * ```
 *
 * Good:
 *
 * ```sql
 * SELECT tasks.* FROM tasks, json_each(tasks.tags) AS tag WHERE tag.value = auth.parameter('tag')
 * ```
 */
import type { Rule } from './rule.ts';

export const unknownTableFunction: Rule = { code: 'unknown-table-function' };
