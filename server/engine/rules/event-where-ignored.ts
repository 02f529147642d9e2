/**
 * WHERE in the payload of an event
 *
 * A service reads it, and then sends the event for every row of the table.
 *
 * Bad:
 *
 * ```yaml
 * config:
 *   edition: 3
 * streams: {}
 * event_definitions:
 *   task_saved:
 *     payloads:
 *       - SELECT id FROM tasks WHERE done = 1
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
 *       - SELECT id, done FROM tasks
 * ```
 */
import type { Rule } from './rule.ts';

export const eventWhereIgnored: Rule = { code: 'event-where-ignored' };
