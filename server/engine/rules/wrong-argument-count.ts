/**
 * Too few or too many arguments
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
