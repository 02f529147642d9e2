/**
 * Two tables of one name
 *
 * Each table of FROM needs a name of its own, or a reference could mean both.
 *
 * Bad:
 *
 * ```sql
 * SELECT tasks.* FROM tasks JOIN tasks ON tasks.id = tasks.parent_id
 * ```
 *
 * Good:
 *
 * ```sql
 * SELECT tasks.* FROM tasks JOIN tasks AS parent ON parent.id = tasks.parent_id WHERE parent.owner_id = auth.user_id()
 * ```
 */
import type { Rule } from './rule.ts';

export const duplicateTableName: Rule = { code: 'duplicate-table-name' };
