/**
 * Too few or too many arguments
 *
 * The function is known, but not with that many arguments, so the service refuses the query. While you type, signature
 * help shows what it takes.
 *
 * Bad:
 *
 * ```sql
 * SELECT id, upper(title, 'de') AS title FROM tasks
 * ```
 *
 * Good:
 *
 * ```sql
 * SELECT id, upper(title) AS title FROM tasks
 * ```
 */
import type { Rule } from './rule.ts';

export const wrongArgumentCount: Rule = { code: 'wrong-argument-count' };
