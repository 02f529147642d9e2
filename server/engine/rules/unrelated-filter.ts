/**
 * A filter without effect
 *
 * The filter speaks of a table that has nothing to do with the rows that are synced.
 */
import type { Rule } from './rule.ts';

export const unrelatedFilter: Rule = { code: 'unrelated-filter' };
