/**
 * Streams of edition 2
 *
 * The streams of edition 2 were a preview with many limits: one table, no joins, restricted subqueries. Edition 3
 * has the final form.
 *
 * Bad:
 *
 * ```yaml
 * config:
 *   edition: 2
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

export const alphaStreams: Rule = { code: 'alpha-streams' };
