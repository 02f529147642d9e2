/**
 * Values of the request as output
 *
 * A synced row is the same for everyone who gets it. Values of the request can only choose rows.
 *
 * Bad:
 *
 * ```sql
 * SELECT id, auth.user_id() AS reader FROM tasks
 * ```
 *
 * Good:
 *
 * ```sql
 * SELECT id FROM tasks WHERE owner_id = auth.user_id()
 * ```
 */
import type { Rule } from './rule.ts';

export const parameterInOutput: Rule = { code: 'parameter-in-output' };
