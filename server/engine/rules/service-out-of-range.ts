/**
 * A number out of range
 *
 * Bad:
 *
 * ```yaml
 * storage:
 *   type: postgresql
 *   uri: !env PS_STORAGE_URI
 *   default_storage_version: 1
 * ```
 *
 * Good:
 *
 * ```yaml
 * storage:
 *   type: postgresql
 *   uri: !env PS_STORAGE_URI
 *   default_storage_version: 2
 * ```
 */
import type { Rule } from './rule.ts';

export const serviceOutOfRange: Rule = { code: 'service-out-of-range' };
