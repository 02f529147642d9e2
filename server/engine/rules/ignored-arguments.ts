/**
 * Arguments that nobody reads
 *
 * `user_id()` and `parameters()` take no arguments. In edition 3 a service does not even look at what stands between
 * their parentheses. To read one parameter use `parameter(name)`.
 *
 * Bad:
 *
 * ```sql
 * SELECT * FROM tasks WHERE owner_id = auth.parameters('sub')
 * ```
 *
 * Good:
 *
 * ```sql
 * SELECT * FROM tasks WHERE owner_id = auth.parameter('sub')
 * ```
 */
import type { Rule } from './rule.ts';

export const ignoredArguments: Rule = { code: 'ignored-arguments' };
