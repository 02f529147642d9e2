/**
 * Two columns of one name
 *
 * A reference to the column could mean both.
 *
 * Bad:
 *
 * ```sql
 * SELECT s.id FROM (SELECT id, task_key AS id FROM tasks) AS s
 * ```
 *
 * Good:
 *
 * ```sql
 * SELECT s.id FROM (SELECT id, task_key FROM tasks) AS s
 * ```
 */
import type { Rule } from './rule.ts';

export const duplicateColumn: Rule = { code: 'duplicate-column' };
