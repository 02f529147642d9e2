/**
 * LEFT, RIGHT, FULL and CROSS JOIN
 *
 * A stream chooses rows of one table, and joins say which: a row is synced or it is not. An outer join would add
 * rows that do not exist. Use JOIN, or a second query.
 *
 * Bad:
 *
 * ```sql
 * SELECT tasks.* FROM tasks LEFT JOIN lists ON lists.id = tasks.list_id
 * ```
 *
 * Good:
 *
 * ```sql
 * SELECT tasks.* FROM tasks JOIN lists ON lists.id = tasks.list_id WHERE lists.owner_id = auth.user_id()
 * ```
 */
import type { Rule } from './rule.ts';

export const unsupportedJoin: Rule = { code: 'unsupported-join' };
