/**
 * Capital letters without quotes
 *
 * As in PostgreSQL, a name without quotes is read in lower case. In the database the column may be called
 * otherwise.
 *
 * Bad:
 *
 * ```yaml
 * bucket_definitions:
 *   all:
 *     data:
 *       - SELECT id, listId FROM tasks
 * ```
 *
 * Good:
 *
 * ```yaml
 * bucket_definitions:
 *   all:
 *     data:
 *       - SELECT id, "listId" FROM tasks
 * ```
 */
import type { Rule } from './rule.ts';

export const identifierLowercased: Rule = { code: 'identifier-lowercased' };
