/**
 * Payloads that are not a list
 *
 * An event can have several queries, each of which is one of its payloads; even a single one is an item of a list.
 *
 * Bad:
 *
 * ```yaml
 * config:
 *   edition: 3
 * streams: {}
 * event_definitions:
 *   task_saved:
 *     payloads: SELECT id FROM tasks
 * ```
 *
 * Good:
 *
 * ```yaml
 * config:
 *   edition: 3
 * streams: {}
 * event_definitions:
 *   task_saved:
 *     payloads:
 *       - SELECT id FROM tasks
 * ```
 */
import type { Rule } from './rule.ts';

export const eventPayloadsNotAList: Rule = { code: 'event-payloads-not-a-list' };
