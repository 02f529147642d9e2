/**
 * A function that is never the same twice
 *
 * A row must give the same result whenever it is looked at, or it could never be removed from its bucket again.
 *
 * Bad:
 *
 * ```sql
 * SELECT id, random() AS lot FROM tasks
 * ```
 *
 * Good:
 *
 * ```sql
 * SELECT id, lot FROM tasks
 * ```
 */
import type { Rule } from './rule.ts';

export const nondeterministicFunction: Rule = { code: 'nondeterministic-function' };
