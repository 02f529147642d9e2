/**
 * A key that must be there
 *
 * Without it no service starts.
 *
 * Bad:
 *
 * ```yaml
 * replication:
 *   connections:
 *     - uri: !env PS_SOURCE_URI
 * ```
 *
 * Good:
 *
 * ```yaml
 * replication:
 *   connections:
 *     - type: postgresql
 *       uri: !env PS_SOURCE_URI
 * ```
 */
import type { Rule } from './rule.ts';

export const serviceMissingKey: Rule = { code: 'service-missing-key' };
