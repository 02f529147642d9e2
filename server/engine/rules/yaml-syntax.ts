/**
 * The YAML cannot be read
 *
 * The file is not valid YAML, so no service can load it. Headwater keeps reading behind the problem as well as it
 * can, so that the rest of the file keeps its diagnostics. A frequent cause is a colon followed by a space inside
 * unquoted text: put the SQL in quotes or in a block scalar (`|`).
 *
 * Bad:
 *
 * ```yaml
 * config:
 *   edition: 3
 * streams:
 *   mine:
 *     query: SELECT id, 'note: urgent' AS note FROM tasks
 * ```
 *
 * Good:
 *
 * ```yaml
 * config:
 *   edition: 3
 * streams:
 *   mine:
 *     query: |
 *       SELECT id, 'note: urgent' AS note FROM tasks
 * ```
 */
import type { Rule } from './rule.ts';

export const yamlSyntax: Rule = { code: 'yaml-syntax' };
