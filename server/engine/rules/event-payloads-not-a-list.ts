/**
 * Payloads that are not a list
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
