/**
 * Values of a table function as output
 *
 * The elements of a list are no rows. They can choose rows, but not be synced themselves.
 *
 * Bad:
 *
 * ```sql
 * SELECT tasks.id, tag.value AS tag FROM tasks, json_each(tasks.tags) AS tag
 * ```
 *
 * Good:
 *
 * ```sql
 * SELECT id, tags FROM tasks
 * ```
 */
import type { Rule } from './rule.ts';

export const outputFromFunction: Rule = { code: 'output-from-function' };
