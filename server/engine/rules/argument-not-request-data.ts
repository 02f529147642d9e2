/**
 * A parameter's name that depends on a row
 *
 * Values of the request are read before any row is known.
 */
import type { Rule } from './rule.ts';

export const argumentNotRequestData: Rule = { code: 'argument-not-request-data' };
