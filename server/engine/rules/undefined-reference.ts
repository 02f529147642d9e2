/**
 * A name that is not known
 *
 * Before edition 3 a reference names a column of the query's only table, or `bucket.…` for a bucket parameter of a
 * data query.
 *
 * Bad:
 *
 * ```yaml
 * bucket_definitions:
 *   all:
 *     data:
 *       - SELECT * FROM tasks WHERE lists.archived = 0
 * ```
 *
 * Good:
 *
 * ```yaml
 * bucket_definitions:
 *   all:
 *     data:
 *       - SELECT * FROM tasks WHERE tasks.archived = 0
 * ```
 */
import type { Rule } from './rule.ts';

export const undefinedReference: Rule = { code: 'undefined-reference' };
