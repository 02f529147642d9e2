/**
 * Both of query and queries, or none
 *
 * A stream has either one `query` or a list of `queries`.
 *
 * Bad:
 *
 * ```yaml
 * config:
 *   edition: 3
 * streams:
 *   tasks:
 *     query: SELECT * FROM tasks
 *     queries:
 *       - SELECT * FROM lists
 * ```
 *
 * Good:
 *
 * ```yaml
 * config:
 *   edition: 3
 * streams:
 *   tasks:
 *     queries:
 *       - SELECT * FROM tasks
 *       - SELECT * FROM lists
 * ```
 */
import type { Rule } from './rule.ts';

export const queryOrQueries: Rule = { code: 'query-or-queries' };
