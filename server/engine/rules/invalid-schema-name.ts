/**
 * A schema name with dots
 *
 * In quotes a schema may have one dot: what stands before it is the tag of a connection. There is no name with more.
 *
 * Bad:
 *
 * ```yaml
 * bucket_definitions:
 *   all:
 *     data:
 *       - SELECT * FROM "a.b.public".tasks
 * ```
 *
 * Good:
 *
 * ```yaml
 * bucket_definitions:
 *   all:
 *     data:
 *       - SELECT * FROM public.tasks
 * ```
 */
import type { Rule } from './rule.ts';

export const invalidSchemaName: Rule = { code: 'invalid-schema-name' };
