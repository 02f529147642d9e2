/**
 * A schema before a column
 *
 * The schema belongs to the table in FROM. A column has at most the table's name before it.
 *
 * Bad:
 *
 * ```yaml
 * bucket_definitions:
 *   all:
 *     data:
 *       - SELECT * FROM public.tasks WHERE public.tasks.archived = 0
 * ```
 *
 * Good:
 *
 * ```yaml
 * bucket_definitions:
 *   all:
 *     data:
 *       - SELECT * FROM public.tasks WHERE tasks.archived = 0
 * ```
 */
import type { Rule } from './rule.ts';

export const schemaInColumnReference: Rule = { code: 'schema-in-column-reference' };
