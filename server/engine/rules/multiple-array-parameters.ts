/**
 * Two lists of the request
 *
 * A parameter query can take apart one list of the request.
 *
 * Bad:
 *
 * ```yaml
 * bucket_definitions:
 *   mine:
 *     parameters: >
 *       SELECT id AS list FROM lists
 *       WHERE owner_id IN (request.jwt() ->> 'users') AND team_id IN (request.jwt() ->> 'teams')
 *     data:
 *       - SELECT * FROM tasks WHERE list_id = bucket.list
 * ```
 *
 * Good:
 *
 * ```yaml
 * bucket_definitions:
 *   mine:
 *     parameters: SELECT id AS list FROM lists WHERE owner_id IN (request.jwt() ->> 'users')
 *     data:
 *       - SELECT * FROM tasks WHERE list_id = bucket.list
 * ```
 */
import type { Rule } from './rule.ts';

export const multipleArrayParameters: Rule = { code: 'multiple-array-parameters' };
