/**
 * A condition that connects nothing
 *
 * This condition compares things that lead neither to the rows that are synced nor to the request, so there is no
 * bucket that it could choose.
 *
 * Bad:
 *
 * ```sql
 * SELECT tasks.* FROM tasks, lists, members WHERE lists.id = members.list_id
 * ```
 *
 * Good:
 *
 * ```sql
 * SELECT tasks.* FROM tasks, lists WHERE lists.id = tasks.list_id AND lists.owner_id = auth.user_id()
 * ```
 */
import type { Rule } from './rule.ts';

export const unresolvableFilter: Rule = { code: 'unresolvable-filter' };
