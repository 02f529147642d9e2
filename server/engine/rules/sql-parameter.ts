/**
 * Query parameters such as $1
 *
 * A sync query has no numbered parameters. What a request brings along is read with functions: `auth.user_id()`,
 * `auth.parameter('…')`, `connection.parameter('…')`, `subscription.parameter('…')`.
 *
 * Bad:
 *
 * ```sql
 * SELECT * FROM tasks WHERE owner_id = $1
 * ```
 *
 * Good:
 *
 * ```sql
 * SELECT * FROM tasks WHERE owner_id = auth.user_id()
 * ```
 */
import type { Rule } from './rule.ts';

export const sqlParameter: Rule = { code: 'sql-parameter' };
