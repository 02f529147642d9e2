/**
 * NOT over a comparison with the request
 *
 * Nobody can list the buckets that a client must not get.
 *
 * Bad:
 *
 * ```yaml
 * config:
 *   edition: 2
 * streams:
 *   others:
 *     query: SELECT * FROM tasks WHERE NOT (owner_id = auth.user_id())
 * ```
 *
 * Good:
 *
 * ```yaml
 * config:
 *   edition: 2
 * streams:
 *   mine:
 *     query: SELECT * FROM tasks WHERE owner_id = auth.user_id()
 * ```
 */
import type { Rule } from './rule.ts';

export const negatedMatch: Rule = { code: 'negated-match' };
