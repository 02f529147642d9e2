/**
 * A column of which table?
 *
 * With several tables in FROM each column needs its table before it.
 *
 * Bad:
 *
 * ```sql
 * SELECT tasks.* FROM tasks JOIN lists ON lists.id = list_id WHERE lists.owner_id = auth.user_id()
 * ```
 *
 * Good:
 *
 * ```sql
 * SELECT tasks.* FROM tasks JOIN lists ON lists.id = tasks.list_id WHERE lists.owner_id = auth.user_id()
 * ```
 */
import type { Rule } from './rule.ts';

export const ambiguousReference: Rule = { code: 'ambiguous-reference' };
