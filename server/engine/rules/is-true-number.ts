/**
 * IS TRUE on a number
 *
 * TRUE is 1 here, so `IS TRUE` is a comparison with 1, and false for any other number.
 *
 * With this source:
 *
 * ```sql
 * create table tasks (id text, stars integer)
 * ```
 *
 * Bad:
 *
 * ```sql
 * SELECT * FROM tasks WHERE stars IS TRUE
 * ```
 *
 * Good:
 *
 * ```sql
 * SELECT * FROM tasks WHERE stars > 0
 * ```
 */
import type { Rule } from './rule.ts';

export const isTrueNumber: Rule = { code: 'is-true-number' };
