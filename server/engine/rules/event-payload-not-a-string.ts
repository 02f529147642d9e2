/**
 * A payload that is not an SQL text
 *
 * A payload is a SELECT as plain text, not a map as streams have it.
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
 *       - query: SELECT id FROM tasks
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

export const eventPayloadNotAString: Rule = { code: 'event-payload-not-a-string' };
