/**
 * A joined table without effect
 *
 * No condition speaks of the table, so it chooses nothing: unlike in SQL, not even an empty one would.
 *
 * Bad:
 *
 * ```sql
 * SELECT tasks.* FROM tasks, lists WHERE tasks.owner_id = auth.user_id()
 * ```
 *
 * Good:
 *
 * ```sql
 * SELECT tasks.* FROM tasks WHERE tasks.owner_id = auth.user_id()
 * ```
 */
import type { Rule } from './rule.ts';

export const unusedJoin: Rule = { code: 'unused-join' };
