/**
 * A wildcard table with a filter in edition 2
 *
 * It never matches, so nothing is synced.
 *
 * Bad:
 *
 * ```yaml
 * config:
 *   edition: 2
 * streams:
 *   mine:
 *     query: SELECT * FROM "tasks_%" WHERE owner_id = auth.user_id()
 * ```
 *
 * Good:
 *
 * ```yaml
 * config:
 *   edition: 3
 * streams:
 *   mine:
 *     query: SELECT * FROM "tasks_%" WHERE owner_id = auth.user_id()
 * ```
 */
import type { Rule } from './rule.ts';

export const wildcardFilter: Rule = { code: 'wildcard-filter' };
