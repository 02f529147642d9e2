/**
 * A map is needed
 *
 * Here belong keys with values, one to a line. Aliases (`*name`) are not resolved in a config, so they count as
 * something else, too.
 *
 * Bad:
 *
 * ```yaml
 * config:
 *   edition: 3
 * streams:
 *   - SELECT * FROM tasks
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

export const expectedMap: Rule = { code: 'expected-map' };
