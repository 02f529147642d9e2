/**
 * A column that the table does not have
 *
 * Its value is NULL in every row.
 *
 * With this source:
 *
 * ```sql
 * create table tasks (id text, title text)
 * ```
 *
 * Bad:
 *
 * ```sql
 * SELECT id, titel FROM tasks
 * ```
 *
 * Good:
 *
 * ```sql
 * SELECT id, title FROM tasks
 * ```
 */
import type { Rule } from './rule.ts';

export const unknownColumn: Rule = { code: 'unknown-column' };
