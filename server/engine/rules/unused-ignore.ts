/**
 * An ignore comment without effect
 *
 * The finding that this comment was written for is gone, or never was.
 *
 * Bad:
 *
 * ```yaml
 * config:
 *   edition: 3
 * streams:
 *   tasks:
 *     # headwater-ignore unused-cte
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

export const unusedIgnore: Rule = { code: 'unused-ignore' };
