/**
 * No column id in a stream
 *
 * Clients keep the rows of a table by their column `id`. Edition 3 does not demand it, and without it all rows of the
 * table collapse into one. If the key has another name, call it `id` with AS.
 *
 * Bad:
 *
 * ```sql
 * SELECT task_key, title FROM tasks
 * ```
 *
 * Good:
 *
 * ```sql
 * SELECT task_key AS id, title FROM tasks
 * ```
 */
import type { Rule } from './rule.ts';

export const missingId: Rule = { code: 'missing-id' };
