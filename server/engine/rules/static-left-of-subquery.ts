/**
 * A constant on the left of IN
 *
 * In edition 2 a column or a value of the request stands before IN.
 *
 * Bad:
 *
 * ```yaml
 * config:
 *   edition: 2
 * streams:
 *   tasks:
 *     query: SELECT * FROM tasks WHERE 'admin' IN (SELECT role FROM members WHERE user_id = auth.user_id())
 * ```
 *
 * Good:
 *
 * ```yaml
 * config:
 *   edition: 3
 * streams:
 *   tasks:
 *     query: SELECT * FROM tasks WHERE 'admin' IN (SELECT role FROM members WHERE user_id = auth.user_id())
 * ```
 */
import type { Rule } from './rule.ts';

export const staticLeftOfSubquery: Rule = { code: 'static-left-of-subquery' };
