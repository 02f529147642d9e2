/**
 * An id that is no text
 *
 * Clients see every `id` as text. Columns that refer to it need the same form, or joins on the client find nothing.
 *
 * With this source:
 *
 * ```sql
 * create table tasks (id integer, title text)
 * ```
 *
 * Bad:
 *
 * ```sql
 * SELECT * FROM tasks
 * ```
 *
 * Good:
 *
 * ```sql
 * SELECT CAST(id AS text) AS id, title FROM tasks
 * ```
 */
import type { Rule } from './rule.ts';

export const idNotText: Rule = { code: 'id-not-text' };
