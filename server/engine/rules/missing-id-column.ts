/**
 * No column id
 *
 * Clients keep the rows of a table by their column `id`, a text. Before edition 3 a service refuses a query without
 * it. If the key of the table has another name, call it `id` with AS.
 *
 * Bad:
 *
 * ```yaml
 * bucket_definitions:
 *   all:
 *     data:
 *       - SELECT task_key, title FROM tasks
 * ```
 *
 * Good:
 *
 * ```yaml
 * bucket_definitions:
 *   all:
 *     data:
 *       - SELECT task_key AS id, title FROM tasks
 * ```
 */
import type { Rule } from './rule.ts';

export const missingIdColumn: Rule = { code: 'missing-id-column' };
