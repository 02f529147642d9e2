/**
 * Streams without an edition
 *
 * Without `config: edition:` a file is read as edition 1, which has no streams. New configs use edition 3.
 *
 * Bad:
 *
 * ```yaml
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

export const streamsRequireEdition2: Rule = { code: 'streams-require-edition-2' };
