/**
 * More than one source database
 *
 * A service replicates from one database.
 *
 * Bad:
 *
 * ```yaml
 * replication:
 *   connections:
 *     - type: postgresql
 *       uri: !env PS_SOURCE_URI
 *     - type: postgresql
 *       uri: !env PS_OTHER_URI
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

export const serviceSeveralConnections: Rule = { code: 'service-several-connections' };
