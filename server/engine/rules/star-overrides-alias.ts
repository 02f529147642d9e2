/**
 * A star behind named columns
 *
 * In edition 3 later columns win. If the row has a column of that name, `*` puts back its value.
 *
 * Bad:
 *
 * ```sql
 * SELECT task_key AS id, * FROM tasks
 * ```
 *
 * Good:
 *
 * ```sql
 * SELECT *, task_key AS id FROM tasks
 * ```
 */
import type { Rule } from './rule.ts';

export const starOverridesAlias: Rule = { code: 'star-overrides-alias' };
