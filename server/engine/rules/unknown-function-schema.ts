/**
 * An unknown word before a function
 *
 * Before the dot of a call stands `auth`, `connection`, `subscription`, or a table of the query. `request` belongs
 * to bucket definitions.
 *
 * Bad:
 *
 * ```sql
 * SELECT * FROM tasks WHERE owner_id = session.user_id()
 * ```
 *
 * Good:
 *
 * ```sql
 * SELECT * FROM tasks WHERE owner_id = auth.user_id()
 * ```
 */
import type { Rule } from './rule.ts';

export const unknownFunctionSchema: Rule = { code: 'unknown-function-schema' };
