/**
 * More than one YAML document
 *
 * A line `---` starts another document, and a config is exactly one. One at the very start of the file is fine.
 *
 * Bad:
 *
 * ```yaml
 * config:
 *   edition: 3
 * ---
 * streams:
 *   tasks:
 *     query: SELECT * FROM tasks
 * ```
 *
 * Good:
 *
 * ```yaml
 * ---
 * config:
 *   edition: 3
 * streams:
 *   tasks:
 *     query: SELECT * FROM tasks
 * ```
 */
import type { Rule } from './rule.ts';

export const yamlMultipleDocuments: Rule = { code: 'yaml-multiple-documents' };
