/**
 * A number behind -> before edition 3
 *
 * Before edition 3 only a text can stand behind `->` and `->>`.
 *
 * Bad:
 *
 * ```yaml
 * bucket_definitions:
 *   all:
 *     data:
 *       - SELECT id, tags ->> 0 AS tag FROM tasks
 * ```
 *
 * Good:
 *
 * ```yaml
 * bucket_definitions:
 *   all:
 *     data:
 *       - SELECT id, tags ->> '$.0' AS tag FROM tasks
 * ```
 */
import type { Rule } from './rule.ts';

export const unsupportedJsonPath: Rule = { code: 'unsupported-json-path' };
