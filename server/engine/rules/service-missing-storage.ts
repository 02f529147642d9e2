/**
 * No storage
 *
 * Only the embedded service has a place of its own for buckets. Others refuse to start.
 *
 * Bad:
 *
 * ```yaml
 * replication:
 *   connections:
 *     - type: postgresql
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
 * storage:
 *   type: postgresql
 *   uri: !env PS_STORAGE_URI
 * ```
 */
import type { Rule } from './rule.ts';

export const serviceMissingStorage: Rule = { code: 'service-missing-storage' };
