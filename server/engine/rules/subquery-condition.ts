/**
 * A condition that a subquery of edition 2 cannot have
 *
 * Subqueries of edition 2 compare columns with the request and with constants, and cannot be nested.
 *
 * Bad:
 *
 * ```yaml
 * config:
 *   edition: 2
 * streams:
 *   mine:
 *     query: >
 *       SELECT * FROM tasks WHERE list_id IN (SELECT id FROM lists WHERE team_id IN
 *       (SELECT team_id FROM members WHERE user_id = auth.user_id()))
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
 *       SELECT * FROM tasks WHERE list_id IN (SELECT id FROM lists WHERE team_id IN
 *       (SELECT team_id FROM members WHERE user_id = auth.user_id()))
 * ```
 */
import type { Rule } from './rule.ts';

export const subqueryCondition: Rule = { code: 'subquery-condition' };
