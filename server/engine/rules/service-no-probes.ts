/**
 * All probes off
 *
 * As soon as `probes` is there, each probe that it does not turn on is off, and health checks are answered with 404.
 *
 * Bad:
 *
 * ```yaml
 * healthcheck:
 *   probes: {}
 * ```
 *
 * Good:
 *
 * ```yaml
 * healthcheck:
 *   probes:
 *     use_http: true
 * ```
 */
import type { Rule } from './rule.ts';

export const serviceNoProbes: Rule = { code: 'service-no-probes' };
