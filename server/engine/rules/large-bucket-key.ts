/**
 * A bucket for each moment or measurement
 *
 * A column of times or fractions has nearly as many values as rows, and each of them makes a bucket of its own.
 * Compare with something that rows share, such as the day.
 *
 * With this source:
 *
 * ```sql
 * create table tasks (id text, weight real, day text)
 * ```
 *
 * Bad:
 *
 * ```sql
 * SELECT * FROM tasks WHERE weight = auth.parameter('weight')
 * ```
 *
 * Good:
 *
 * ```sql
 * SELECT * FROM tasks WHERE day = auth.parameter('day')
 * ```
 */
import type { Rule } from './rule.ts';

export const largeBucketKey: Rule = { code: 'large-bucket-key' };
