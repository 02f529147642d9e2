/**
 * Elements of the request used twice
 *
 * The elements of an array of the request choose buckets, one for each. They can be compared with rows of one table,
 * and not with other values of the request.
 *
 * Bad:
 *
 * ```sql
 * SELECT * FROM tasks WHERE auth.user_id() IN auth.parameter('admins')
 * ```
 *
 * Good:
 *
 * ```sql
 * SELECT * FROM tasks WHERE list_id IN auth.parameter('lists')
 * ```
 */
import type { Rule } from './rule.ts';

export const functionPartition: Rule = { code: 'function-partition' };
