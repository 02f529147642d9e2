/**
 * A single value is needed
 *
 * Here belongs one text, number or word, not a map, a list, an alias or nothing. The service even stops with an
 * exception when there is no value where SQL belongs.
 *
 * Bad:
 *
 * ```yaml
 * config:
 *   edition: 3
 * streams:
 *   tasks:
 *     query:
 *       - SELECT * FROM tasks
 * ```
 *
 * Good:
 *
 * ```yaml
 * config:
 *   edition: 3
 * streams:
 *   tasks:
 *     query: SELECT * FROM tasks
 * ```
 */
import type { Rule } from './rule.ts';

export const expectedScalar: Rule = { code: 'expected-scalar' };
