/**
 * The same key twice
 *
 * A key may stand only once in a map. A service refuses the file, because it could not know which of the two is
 * meant.
 *
 * Bad:
 *
 * ```yaml
 * config:
 *   edition: 3
 * streams:
 *   mine:
 *     query: SELECT * FROM tasks
 *   mine:
 *     query: SELECT * FROM lists
 * ```
 *
 * Good:
 *
 * ```yaml
 * config:
 *   edition: 3
 * streams:
 *   my_tasks:
 *     query: SELECT * FROM tasks
 *   my_lists:
 *     query: SELECT * FROM lists
 * ```
 */
import type { Rule } from './rule.ts';

export const yamlDuplicateKey: Rule = { code: 'yaml-duplicate-key' };
