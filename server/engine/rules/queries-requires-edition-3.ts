/**
 * Several queries in a stream before edition 3
 *
 * `queries` came with edition 3. Before, each query needs a stream of its own.
 *
 * Bad:
 *
 * ```yaml
 * config:
 *   edition: 2
 * streams:
 *   all:
 *     queries:
 *       - SELECT * FROM tasks
 *       - SELECT * FROM lists
 * ```
 *
 * Good:
 *
 * ```yaml
 * config:
 *   edition: 3
 * streams:
 *   all:
 *     queries:
 *       - SELECT * FROM tasks
 *       - SELECT * FROM lists
 * ```
 */
import type { Rule } from './rule.ts';

export const queriesRequiresEdition3: Rule = { code: 'queries-requires-edition-3' };
