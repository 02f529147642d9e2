/**
 * JOIN with USING
 *
 * Write the comparison with ON.
 *
 * Bad:
 *
 * ```sql
 * SELECT tasks.* FROM tasks JOIN members USING (list_id) WHERE members.user_id = auth.user_id()
 * ```
 *
 * Good:
 *
 * ```sql
 * SELECT tasks.* FROM tasks JOIN members ON members.list_id = tasks.list_id WHERE members.user_id = auth.user_id()
 * ```
 */
import type { Rule } from './rule.ts';

export const joinUsing: Rule = { code: 'join-using' };
