/**
 * OR inside a subquery of edition 2
 *
 * Use two comparisons with subqueries, or edition 3.
 *
 * Bad:
 *
 * ```yaml
 * config:
 *   edition: 2
 * streams:
 *   mine:
 *     query: >
 *       SELECT * FROM tasks
 *       WHERE list_id IN (SELECT id FROM lists WHERE owner_id = auth.user_id() OR editor_id = auth.user_id())
 * ```
 *
 * Good:
 *
 * ```yaml
 * config:
 *   edition: 3
 * streams:
 *   mine:
 *     query: >
 *       SELECT * FROM tasks
 *       WHERE list_id IN (SELECT id FROM lists WHERE owner_id = auth.user_id() OR editor_id = auth.user_id())
 * ```
 */
import type { Rule } from './rule.ts';

export const orInSubquery: Rule = { code: 'or-in-subquery' };
