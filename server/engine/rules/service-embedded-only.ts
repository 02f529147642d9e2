/**
 * Something that only the embedded service has
 *
 * Other services do not know this type, and refuse to start.
 *
 * Bad:
 *
 * ```yaml
 * storage:
 *   type: embedded
 * ```
 *
 * Good:
 *
 * ```yaml
 * storage:
 *   type: postgresql
 *   uri: !env PS_STORAGE_URI
 * ```
 */
import type { Rule } from './rule.ts';

export const serviceEmbeddedOnly: Rule = { code: 'service-embedded-only' };
