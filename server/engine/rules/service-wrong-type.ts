/**
 * A value of the wrong kind
 *
 * Bad:
 *
 * ```yaml
 * api:
 *   parameters:
 *     max_concurrent_connections: "200"
 * ```
 *
 * Good:
 *
 * ```yaml
 * api:
 *   parameters:
 *     max_concurrent_connections: 200
 * ```
 */
import type { Rule } from './rule.ts';

export const serviceWrongType: Rule = { code: 'service-wrong-type' };
