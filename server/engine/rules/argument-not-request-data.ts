/**
 * A parameter's name that depends on a row
 *
 * Values of the request are read before any row is known. Write the name as a text, as in `auth.parameter('org_id')`;
 * to compare with a column, put the column on the other side: `org_id = auth.parameter('org_id')`.
 */
import type { Rule } from './rule.ts';

export const argumentNotRequestData: Rule = { code: 'argument-not-request-data' };
