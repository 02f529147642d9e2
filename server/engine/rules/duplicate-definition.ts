/**
 * A stream and a bucket definition of one name
 *
 * Both would own the same buckets, so names are unique across both.
 *
 * Bad:
 *
 * ```yaml
 * config:
 *   edition: 2
 * streams:
 *   tasks:
 *     query: SELECT * FROM tasks
 * bucket_definitions:
 *   tasks:
 *     data:
 *       - SELECT * FROM tasks
 * ```
 *
 * Good:
 *
 * ```yaml
 * config:
 *   edition: 2
 * streams:
 *   tasks:
 *     query: SELECT * FROM tasks
 * bucket_definitions:
 *   lists:
 *     data:
 *       - SELECT * FROM lists
 * ```
 */
import type { Rule } from './rule.ts';

export const duplicateDefinition: Rule = { code: 'duplicate-definition' };
