/**
 * A comparison of different classes of values
 *
 * Values compare as in SQLite without any conversion: a number never equals a text. Values of the request are mostly
 * texts.
 *
 * With this source:
 *
 * ```sql
 * create table tasks (id text, priority integer)
 * ```
 *
 * Bad:
 *
 * ```sql
 * SELECT * FROM tasks WHERE priority = '1'
 * ```
 *
 * Good:
 *
 * ```sql
 * SELECT * FROM tasks WHERE priority = 1
 * ```
 */
import type { Rule } from './rule.ts';

export const typeMismatch: Rule = { code: 'type-mismatch' };
