/**
 * The SQL cannot be read
 *
 * A word or a sign does not fit here. Words such as `order` or `user` have a meaning of their own and need double
 * quotes as names; texts stand in single quotes; `a -1` needs a blank after the minus.
 *
 * Bad:
 *
 * ```sql
 * SELECT id, order FROM tasks
 * ```
 *
 * Good:
 *
 * ```sql
 * SELECT id, "order" FROM tasks
 * ```
 */
import type { Rule } from './rule.ts';

export const sqlSyntax: Rule = { code: 'sql-syntax' };
