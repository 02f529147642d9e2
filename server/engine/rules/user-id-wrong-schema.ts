/**
 * user_id() of something else than auth
 *
 * Only the signed token says who the user is.
 *
 * Bad:
 *
 * ```sql
 * SELECT * FROM tasks WHERE owner_id = connection.user_id()
 * ```
 *
 * Good:
 *
 * ```sql
 * SELECT * FROM tasks WHERE owner_id = auth.user_id()
 * ```
 */
import type { Rule } from './rule.ts';

export const userIdWrongSchema: Rule = { code: 'user-id-wrong-schema' };
