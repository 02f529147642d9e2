/**
 * An alias that renames the table
 *
 * The alias of the table whose rows are synced is the name under which clients get them. If that is meant, quote
 * it: then nothing is said.
 *
 * Bad:
 *
 * ```sql
 * SELECT t.* FROM tasks t JOIN lists l ON l.id = t.list_id WHERE l.owner_id = auth.user_id()
 * ```
 *
 * Good:
 *
 * ```sql
 * SELECT tasks.* FROM tasks JOIN lists l ON l.id = tasks.list_id WHERE l.owner_id = auth.user_id()
 * ```
 */
import type { Rule } from './rule.ts';

export const aliasedOutputTable: Rule = { code: 'aliased-output-table' };
