/**
 * A table function of a table function
 *
 * Lists inside of lists cannot be taken apart.
 *
 * Bad:
 *
 * ```sql
 * SELECT tasks.* FROM tasks, json_each(tasks.groups) AS g, json_each(g.value) AS tag
 *   WHERE tag.value = auth.parameter('tag')
 * ```
 *
 * Good:
 *
 * ```sql
 * SELECT tasks.* FROM tasks, json_each(tasks.tags) AS tag WHERE tag.value = auth.parameter('tag')
 * ```
 */
import type { Rule } from './rule.ts';

export const functionChained: Rule = { code: 'function-chained' };
