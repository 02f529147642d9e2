/**
 * LIKE
 *
 * There is no LIKE. A prefix can be compared with `substring`, a part found with `instr`.
 *
 * Bad:
 *
 * ```sql
 * SELECT * FROM tasks WHERE title LIKE 'a%'
 * ```
 *
 * Good:
 *
 * ```sql
 * SELECT * FROM tasks WHERE substring(title, 1, 1) = 'a'
 * ```
 */
import type { Rule } from './rule.ts';

export const likeNotSupported: Rule = { code: 'like-not-supported' };
