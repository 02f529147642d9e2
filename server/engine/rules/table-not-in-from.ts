/**
 * A table that is not in FROM
 *
 * A column can be read only from a table of this query. An alias hides the name of its table.
 *
 * Bad:
 *
 * ```sql
 * SELECT * FROM tasks WHERE lists.owner_id = auth.user_id()
 * ```
 *
 * Good:
 *
 * ```sql
 * SELECT tasks.* FROM tasks JOIN lists ON lists.id = tasks.list_id WHERE lists.owner_id = auth.user_id()
 * ```
 */
import type { Rule } from './rule.ts';

export const tableNotInFrom: Rule = { code: 'table-not-in-from' };
