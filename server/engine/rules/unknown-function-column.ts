/**
 * A column that json_each does not have
 *
 * `json_each` gives `key` and `value`. A service accepts any other name, and reads NULL.
 *
 * Bad:
 *
 * ```sql
 * SELECT tasks.* FROM tasks, json_each(tasks.tags) AS tag WHERE tag.name = auth.parameter('tag')
 * ```
 *
 * Good:
 *
 * ```sql
 * SELECT tasks.* FROM tasks, json_each(tasks.tags) AS tag WHERE tag.value = auth.parameter('tag')
 * ```
 */
import type { Rule } from './rule.ts';

export const unknownFunctionColumn: Rule = { code: 'unknown-function-column' };
