/**
 * A value of the request on the left of &&
 *
 * In edition 2 the column stands on the left of `&&`, the subquery on the right.
 *
 * Bad:
 *
 * ```yaml
 * config:
 *   edition: 2
 * streams:
 *   mine:
 *     query: SELECT * FROM tasks WHERE auth.parameter('tags') && (SELECT tag FROM tags WHERE owner_id = auth.user_id())
 * ```
 *
 * Good:
 *
 * ```yaml
 * config:
 *   edition: 2
 * streams:
 *   mine:
 *     query: SELECT * FROM tasks WHERE tags && (SELECT tag FROM tags WHERE owner_id = auth.user_id())
 * ```
 */
import type { Rule } from './rule.ts';

export const overlapLeftNotRow: Rule = { code: 'overlap-left-not-row' };
