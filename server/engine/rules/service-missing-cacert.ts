/**
 * verify-ca without a certificate
 *
 * `verify-ca` trusts one authority, and has to be told which.
 *
 * Bad:
 *
 * ```yaml
 * storage:
 *   type: postgresql
 *   uri: !env PS_STORAGE_URI
 *   sslmode: verify-ca
 * ```
 *
 * Good:
 *
 * ```yaml
 * storage:
 *   type: postgresql
 *   uri: !env PS_STORAGE_URI
 *   sslmode: verify-ca
 *   cacert: !env PS_STORAGE_CA
 * ```
 */
import type { Rule } from './rule.ts';

export const serviceMissingCacert: Rule = { code: 'service-missing-cacert' };
