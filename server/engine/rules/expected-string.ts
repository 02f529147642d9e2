/**
 * Text is needed
 *
 * Names must be text. Unquoted digits, `true` or `null` are a number, a boolean or nothing in YAML: put them in
 * quotes.
 *
 * Bad:
 *
 * ```yaml
 * config:
 *   edition: 3
 * streams:
 *   2024:
 *     query: SELECT * FROM tasks
 * ```
 *
 * Good:
 *
 * ```yaml
 * config:
 *   edition: 3
 * streams:
 *   "2024":
 *     query: SELECT * FROM tasks
 * ```
 */
import type { Rule } from './rule.ts';

export const expectedString: Rule = { code: 'expected-string' };
