/**
 * A time precision that does not exist
 *
 * `timestamp_max_precision` cuts the digits behind the seconds, to one of four units.
 *
 * Bad:
 *
 * ```yaml
 * config:
 *   edition: 3
 *   timestamp_max_precision: minutes
 * streams: {}
 * ```
 *
 * Good:
 *
 * ```yaml
 * config:
 *   edition: 3
 *   timestamp_max_precision: milliseconds
 * streams: {}
 * ```
 */
import type { Rule } from './rule.ts';

export const unknownTimePrecision: Rule = { code: 'unknown-time-precision' };
