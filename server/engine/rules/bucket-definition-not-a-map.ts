/**
 * A bucket definition that is not a map
 *
 * A bucket definition has a `data` list and, if the rows differ from client to client, `parameters`.
 *
 * Bad:
 *
 * ```yaml
 * bucket_definitions:
 *   tasks: SELECT * FROM tasks
 * ```
 *
 * Good:
 *
 * ```yaml
 * bucket_definitions:
 *   tasks:
 *     data:
 *       - SELECT * FROM tasks
 * ```
 */
import type { Rule } from './rule.ts';

export const bucketDefinitionNotAMap: Rule = { code: 'bucket-definition-not-a-map' };
