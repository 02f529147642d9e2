/**
 * Syntax of bucket definitions in a stream
 *
 * `request`, `bucket`, `token_parameters` and `user_parameters` belong to bucket definitions. A stream compares with
 * `auth`, `connection` and `subscription` values directly.
 *
 * Bad:
 *
 * ```sql
 * SELECT * FROM tasks WHERE owner_id = request.user_id()
 * ```
 *
 * Good:
 *
 * ```sql
 * SELECT * FROM tasks WHERE owner_id = auth.user_id()
 * ```
 */
import type { Rule } from './rule.ts';

export const rulesSyntaxInStream: Rule = { code: 'rules-syntax-in-stream' };
