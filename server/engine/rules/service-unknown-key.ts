/**
 * A key that services do not know
 *
 * Services ignore keys that they do not know, at every depth. So a mistyped key is the same as none.
 *
 * Bad:
 *
 * ```yaml
 * storage:
 *   type: postgresql
 *   uri: !env PS_STORAGE_URI
 *   ssl_mode: disable
 * ```
 *
 * Good:
 *
 * ```yaml
 * storage:
 *   type: postgresql
 *   uri: !env PS_STORAGE_URI
 *   sslmode: disable
 * ```
 */
import type { Rule } from './rule.ts';

export const serviceUnknownKey: Rule = { code: 'service-unknown-key' };
