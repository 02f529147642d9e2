/**
 * Rows of others
 *
 * The table has a column that names the owner of a row, but nothing compares it with the signed-in user.
 */
import type { Rule } from './rule.ts';

export const readsRowsOfOthers: Rule = { code: 'reads-rows-of-others' };
