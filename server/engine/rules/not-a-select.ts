/**
 * Not a single SELECT
 *
 * A sync query chooses rows with exactly one SELECT. It changes nothing, and it does not combine results: instead
 * of UNION give the stream several `queries`, instead of WITH write the query under the key `with`.
 *
 * Bad:
 *
 * ```sql
 * SELECT id FROM tasks UNION SELECT id FROM lists
 * ```
 *
 * Good:
 *
 * ```yaml
 * config:
 *   edition: 3
 * streams:
 *   both:
 *     queries:
 *       - SELECT id FROM tasks
 *       - SELECT id FROM lists
 * ```
 */
import type { Rule } from './rule.ts';

export const notASelect: Rule = { code: 'not-a-select' };
