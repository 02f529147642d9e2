/**
 * A value that services do not know
 *
 * Only a few words are possible here.
 *
 * Bad:
 *
 * ```yaml
 * replication:
 *   connections:
 *     - type: postgresql
 *       uri: !env PS_SOURCE_URI
 *       sslmode: require
 * ```
 *
 * Good:
 *
 * ```yaml
 * replication:
 *   connections:
 *     - type: postgresql
 *       uri: !env PS_SOURCE_URI
 *       sslmode: verify-full
 * ```
 */
import type { Rule } from './rule.ts';

export const serviceUnknownValue: Rule = { code: 'service-unknown-value' };
