/**
 * Not exactly one table
 *
 * Before edition 3 a query reads exactly one table: it has no joins. What depends on other tables belongs into a
 * parameter query.
 *
 * Bad:
 *
 * ```yaml
 * bucket_definitions:
 *   all:
 *     data:
 *       - SELECT tasks.* FROM tasks, lists
 * ```
 *
 * Good:
 *
 * ```yaml
 * bucket_definitions:
 *   all:
 *     data:
 *       - SELECT * FROM tasks
 * ```
 */
import type { Rule } from './rule.ts';

export const singleTableRequired: Rule = { code: 'single-table-required' };
