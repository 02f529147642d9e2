/**
 * != lets NULL pass
 *
 * In sync queries `!=` is the opposite of `=`, so a row whose column is NULL passes. In SQL it would not.
 *
 * With this source:
 *
 * ```sql
 * create table tasks (id text, kind text)
 * ```
 *
 * Bad:
 *
 * ```sql
 * SELECT * FROM tasks WHERE kind != 'draft'
 * ```
 *
 * Good:
 *
 * ```sql
 * SELECT * FROM tasks WHERE kind != 'draft' AND kind IS NOT NULL
 * ```
 */
import type { Rule } from './rule.ts';

export const notEqualNull: Rule = { code: 'not-equal-null' };
