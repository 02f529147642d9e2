/**
 * A tag that services do not know
 *
 * `!env` is the only one. With any other tag the value is plain text.
 *
 * Bad:
 *
 * ```yaml
 * storage:
 *   type: postgresql
 *   uri: !environment PS_STORAGE_URI
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

export const unknownTag: Rule = { code: 'unknown-tag' };
