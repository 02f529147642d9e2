/**
 * A key without a value
 *
 * Nothing behind the colon is null, which most keys do not accept.
 *
 * Bad:
 *
 * ```yaml
 * storage:
 *   type:
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

export const serviceMissingValue: Rule = { code: 'service-missing-value' };
