/**
 * DISTINCT
 *
 * A row is in a bucket once, however often it was chosen, so there is nothing to make distinct.
 *
 * Bad:
 *
 * ```sql
 * SELECT DISTINCT * FROM tasks
 * ```
 *
 * Good:
 *
 * ```sql
 * SELECT * FROM tasks
 * ```
 */
import type { Rule } from './rule.ts';

export const ignoredDistinct: Rule = {
  code: 'ignored-distinct',
  checkSelect: ({ select: { distinct }, report }) => {
    if (distinct) report('ignored-distinct', distinct, {});
  },
};
