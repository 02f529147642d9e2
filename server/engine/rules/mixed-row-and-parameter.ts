/**
 * Row and request in one expression
 *
 * Which rows are in a bucket is decided when a row changes, without any request; which buckets a client gets, when
 * it connects, without any row. So both can meet only where a bucket's name connects them: in `=`, IN or `&&`.
 *
 * Bad:
 *
 * ```sql
 * SELECT * FROM tasks WHERE created_at > connection.parameter('since')
 * ```
 *
 * Good:
 *
 * ```sql
 * SELECT * FROM tasks WHERE created_day = connection.parameter('day') AND owner_id = auth.user_id()
 * ```
 */
import type { Rule } from './rule.ts';

export const mixedRowAndParameter: Rule = { code: 'mixed-row-and-parameter' };
