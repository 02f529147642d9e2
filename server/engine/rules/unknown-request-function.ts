/**
 * An unknown request function
 *
 * `auth` has `user_id()`, `parameters()` and `parameter(name)`; `connection` and `subscription` have the latter two.
 *
 * Bad:
 *
 * ```sql
 * SELECT * FROM tasks WHERE owner_id = auth.claim('sub')
 * ```
 *
 * Good:
 *
 * ```sql
 * SELECT * FROM tasks WHERE owner_id = auth.parameter('sub')
 * ```
 */
import type { Rule } from './rule.ts';

export const unknownRequestFunction: Rule = { code: 'unknown-request-function' };
