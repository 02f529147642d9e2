/**
 * A priority out of range
 *
 * Priorities are 0, 1, 2 and 3. Buckets of priority 0 and 1 reach a client first; 3 is the default.
 *
 * Bad:
 *
 * ```yaml
 * config:
 *   edition: 3
 * streams:
 *   tasks:
 *     priority: 5
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
 *     priority: 1
 *     query: SELECT * FROM tasks
 * ```
 */
import type { Rule } from './rule.ts';

export const invalidPriority: Rule = { code: 'invalid-priority' };
