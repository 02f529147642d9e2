/**
 * A database that the embedded service does not run with
 *
 * `headwater serve` and `headwater dev` replicate from PostgreSQL only, and refuse to start with this type. Other services
 * know it: where the config is only meant for those, silence this. A storage in MongoDB is replaced by two lines:
 * `storage:` and, below, `type: embedded`.
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
