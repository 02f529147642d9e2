/**
 * A certificate that is never looked at
 *
 * `trustServerCertificate: true` trusts every server. Services refuse to start with a certificate beside it.
 *
 * Bad:
 *
 * ```yaml
 * replication:
 *   connections:
 *     - type: mssql
 *       uri: !env PS_SOURCE_URI
 *       cacert: !env PS_SOURCE_CA
 *       additionalConfig:
 *         trustServerCertificate: true
 * ```
 *
 * Good:
 *
 * ```yaml
 * replication:
 *   connections:
 *     - type: mssql
 *       uri: !env PS_SOURCE_URI
 *       cacert: !env PS_SOURCE_CA
 * ```
 */
import type { Rule } from './rule.ts';

export const serviceCacertUnused: Rule = { code: 'service-cacert-unused' };
