/**
 * A subquery of edition 2 that does not depend on the request
 *
 * Bad:
 *
 * ```yaml
 * config:
 *   edition: 2
 * streams:
 *   current:
 *     query: SELECT * FROM tasks WHERE list_id IN (SELECT id FROM lists WHERE archived = 0)
 * ```
 *
 * Good:
 *
 * ```yaml
 * config:
 *   edition: 3
 * streams:
 *   current:
 *     query: SELECT * FROM tasks WHERE list_id IN (SELECT id FROM lists WHERE archived = 0)
 * ```
 */
import type { Rule } from './rule.ts';

export const subqueryWithoutParameter: Rule = { code: 'subquery-without-parameter' };
