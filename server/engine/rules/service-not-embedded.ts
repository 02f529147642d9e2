/**
 * A database that the embedded service does not run with
 *
 * The embedded service replicates from PostgreSQL. Other services know this type.
 *
 * Bad:
 *
 * ```yaml
 * replication:
 *   connections:
 *     - type: mongodb
 *       uri: !env PS_SOURCE_URI
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

export const serviceNotEmbedded: Rule = { code: 'service-not-embedded' };
