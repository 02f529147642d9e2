/**
 * A list is needed
 *
 * `queries` and `data` hold several SQL texts, each behind a dash. A single one is a list with one item.
 *
 * Bad:
 *
 * ```yaml
 * config:
 *   edition: 3
 * streams:
 *   tasks:
 *     queries: SELECT * FROM tasks
 * ```
 *
 * Good:
 *
 * ```yaml
 * config:
 *   edition: 3
 * streams:
 *   tasks:
 *     queries:
 *       - SELECT * FROM tasks
 * ```
 */
import type { Rule } from './rule.ts';

export const expectedSequence: Rule = { code: 'expected-sequence' };
