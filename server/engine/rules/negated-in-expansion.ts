/**
 * NOT (x IN list)
 *
 * A service takes the list apart and tests NOT for each element: that is true as soon as one element differs, and
 * never for an empty list. `x NOT IN list` does what is meant.
 *
 * Bad:
 *
 * ```sql
 * SELECT * FROM tasks WHERE NOT (kind IN hidden_kinds)
 * ```
 *
 * Good:
 *
 * ```sql
 * SELECT * FROM tasks WHERE kind NOT IN hidden_kinds
 * ```
 */
import type { Rule } from './rule.ts';

export const negatedInExpansion: Rule = { code: 'negated-in-expansion' };
