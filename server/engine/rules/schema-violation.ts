/**
 * A value that the format does not allow
 *
 * The value has the right kind, but is outside of what the format allows, such as an edition that does not exist.
 *
 * Bad:
 *
 * ```yaml
 * config:
 *   edition: 4
 * streams:
 *   tasks:
 *     query: SELECT * FROM tasks
 * ```
 *
 * Good:
 *
 * ```yaml
 * config:
 *   edition: 3
 * streams:
 *   tasks:
 *     query: SELECT * FROM tasks
 * ```
 */
import type { Rule } from './rule.ts';

export const schemaViolation: Rule = { code: 'schema-violation' };
