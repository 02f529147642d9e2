/**
 * A subquery of edition 2 that does not depend on the request
 *
 * In edition 2, a subquery finds out which buckets a user gets, so it must compare something with the request. Edition 3
 * has no such limit.
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
