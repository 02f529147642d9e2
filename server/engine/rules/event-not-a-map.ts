/**
 * An event that is not a map
 *
 * An event has a list of `payloads`.
 *
 * Bad:
 *
 * ```yaml
 * config:
 *   edition: 3
 * streams: {}
 * event_definitions:
 *   task_saved: SELECT id FROM tasks
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

export const eventNotAMap: Rule = { code: 'event-not-a-map' };
