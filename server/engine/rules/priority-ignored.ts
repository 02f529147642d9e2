/**
 * A priority without effect
 *
 * Streams of edition 2, and parameter queries over `json_each`, always give buckets of priority 3.
 *
 * Bad:
 *
 * ```yaml
 * config:
 *   edition: 2
 * streams:
 *   tasks:
 *     priority: 1
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

export const priorityIgnored: Rule = { code: 'priority-ignored' };
