/**
 * An alias without an anchor
 *
 * `*name` stands for the value that has the anchor `&name` above it. Without one, no service can read the file.
 *
 * Bad:
 *
 * ```yaml
 * port: *port
 * ```
 *
 * Good:
 *
 * ```yaml
 * port: &port 8080
 * telemetry:
 *   disable_telemetry_sharing: true
 *   prometheus_port: *port
 * ```
 */
import type { Rule } from './rule.ts';

export const serviceUnknownAlias: Rule = { code: 'service-unknown-alias' };
