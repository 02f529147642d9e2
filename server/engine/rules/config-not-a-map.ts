/**
 * The file is not a map
 *
 * A sync config is a map with the keys `config` and `streams` (or `bucket_definitions` before edition 3). An empty
 * file, a list or a single value is none.
 *
 * Bad:
 *
 * ```yaml
 * - config
 * - streams
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

export const configNotAMap: Rule = { code: 'config-not-a-map' };
