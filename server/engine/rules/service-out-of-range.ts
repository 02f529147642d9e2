/**
 * A number out of range
 *
 * The value is of the right kind, but too small or too large. A service refuses to start with it.
 *
 * Bad:
 *
 * ```yaml
 * storage:
 *   type: postgresql
 *   uri: !env PS_STORAGE_URI
 *   heartbeat_interval_seconds: 300
 * ```
 *
 * Good:
 *
 * ```yaml
 * storage:
 *   type: postgresql
 *   uri: !env PS_STORAGE_URI
 *   heartbeat_interval_seconds: 60
 * ```
 */
import type { Rule } from './rule.ts';

export const serviceOutOfRange: Rule = { code: 'service-out-of-range' };
