/**
 * Arguments from several places
 *
 * A table function is run with a row, or with the request, never with both or with two rows.
 *
 * Bad:
 *
 * ```sql
 * SELECT tasks.* FROM tasks, lists, json_each(tasks.tags, lists.tags) AS tag
 *   WHERE tag.value = auth.parameter('tag') AND lists.id = tasks.list_id
 * ```
 *
 * Good:
 *
 * ```sql
 * SELECT tasks.* FROM tasks, json_each(tasks.tags) AS tag WHERE tag.value = auth.parameter('tag')
 * ```
 */
import type { Rule } from './rule.ts';

export const functionInputs: Rule = { code: 'function-inputs' };
