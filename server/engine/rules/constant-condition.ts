/**
 * A condition that never changes
 *
 * What is always true can be left out. What is never true still makes a service store all the rows, which nobody
 * gets.
 *
 * Bad:
 *
 * ```sql
 * SELECT * FROM tasks WHERE 0
 * ```
 *
 * Good:
 *
 * ```sql
 * SELECT * FROM tasks WHERE archived = 0
 * ```
 */
import type { Rule } from './rule.ts';

export const constantCondition: Rule = { code: 'constant-condition' };
