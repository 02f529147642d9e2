/**
 * A time precision without ISO timestamps
 *
 * `timestamp_max_precision` works on timestamps in ISO 8601 form, which are on by default since edition 2.
 *
 * Bad:
 *
 * ```yaml
 * config:
 *   edition: 1
 *   timestamp_max_precision: milliseconds
 * bucket_definitions: {}
 * ```
 *
 * Good:
 *
 * ```yaml
 * config:
 *   edition: 1
 *   timestamps_iso8601: true
 *   timestamp_max_precision: milliseconds
 * bucket_definitions: {}
 * ```
 */
import type { Rule } from './rule.ts';

export const timePrecisionNeedsIso8601: Rule = { code: 'time-precision-needs-iso8601' };
